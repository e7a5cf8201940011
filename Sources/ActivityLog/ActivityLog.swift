@_exported public import ActivityAudit
@_exported public import ActivityCore
@_exported public import ActivityIngest
@_exported public import ActivityStore
