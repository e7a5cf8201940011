-- What was on people's screens at $now, with content, over `line`; {which} chooses the lines of all
-- cards or of one. The content shown is that of the act with the largest version and of those the
-- latest; an end takes effect whatever its version. The run compares every row with `state --at`.
WITH past AS (
  SELECT * FROM line WHERE moment <= $now AND moment >= $now - INTERVAL 36 HOURS AND ({which})
), owner AS MATERIALIZED (
  SELECT token, any_value(activity_id) AS activity
  FROM past WHERE event = 'token' AND token_kind = 'update' AND activity_id IS NOT NULL
  GROUP BY token
), refusal AS MATERIALIZED (
  SELECT apns_id, coalesce(attempt, 1) AS attempt, status
  FROM line WHERE event = 'response' AND status <> 200 AND moment <= $now
), act AS (
  SELECT coalesce(p.activity_id, o.activity) AS activity, p.event, p.moment, p.row,
    coalesce(p.timestamp, floor(epoch(p.moment))::BIGINT) AS version,
    coalesce(p.status, r.status, 200) AS status,
    p.content_state, p.attributes, p.stale_date, p.dismissal_date, p.dismissal_policy,
    p.key, p.device, p.build, p.attributes_type
  FROM past p
  LEFT JOIN owner o ON o.token = p.token AND p.activity_id IS NULL
  LEFT JOIN refusal r ON r.apns_id = p.apns_id AND r.attempt = coalesce(p.attempt, 1)
  WHERE p.event IN ('start', 'update', 'end')
), told AS (
  SELECT activity,
    min(moment) FILTER (event = 'start' AND status = 200) AS opened,
    any_value(attributes) FILTER (event = 'start') AS attributes,
    any_value(attributes_type) FILTER (event = 'start') AS attributes_type,
    any_value(key) FILTER (event = 'start') AS key,
    any_value(device) FILTER (event = 'start') AS device,
    any_value(build) FILTER (event = 'start') AS build,
    max({'version': version, 'moment': moment, 'row': row, 'content': content_state,
      'stale': stale_date}) FILTER (event <> 'end' AND status = 200) AS news,
    min({'moment': moment, 'row': row, 'content': content_state, 'date': dismissal_date,
      'policy': dismissal_policy}) FILTER (event = 'end' AND status = 200) AS ending,
    min(moment) FILTER (status = 410) AS gone
  FROM act WHERE activity IS NOT NULL GROUP BY activity
), shown AS (
  SELECT activity_id AS activity, min(moment) AS moment,
    min(moment) FILTER (event = 'dismiss' OR state = 'dismissed') AS dismissed
  FROM past
  WHERE event = 'dismiss' OR event = 'state' AND state IN ('ended', 'dismissed')
  GROUP BY activity_id
), card AS (
  SELECT t.*, s.dismissed, t.opened + INTERVAL 8 HOURS AS limited,
    least(t.ending.moment, s.moment, t.gone) AS closed
  FROM told t LEFT JOIN shown s ON s.activity = t.activity
  WHERE t.opened IS NOT NULL
), timed AS (
  SELECT *,
    least(closed, CASE WHEN limited <= $now THEN limited END) AS ended,
    CASE WHEN closed = ending.moment THEN
      CASE WHEN ending.date IS NOT NULL THEN
          greatest(closed, least(make_timestamp(ending.date * 1000000), closed + INTERVAL 4 HOURS))
        WHEN ending.policy = 'immediate' THEN closed
        ELSE closed + INTERVAL 4 HOURS END
      ELSE least(closed, limited) + INTERVAL 4 HOURS END AS off
  FROM card
)
SELECT upper(activity::VARCHAR) AS name,
  CASE WHEN ended IS NOT NULL THEN 'ended'
    WHEN news.stale <= epoch($now) THEN 'stale' ELSE 'active' END AS phase,
  opened, ended, attributes_type, attributes,
  CASE WHEN closed = ending.moment THEN coalesce(ending.content, news.content)
    ELSE news.content END AS content,
  key, device, build
FROM timed
WHERE (off IS NULL OR off > $now) AND (dismissed IS NULL OR dismissed > $now)
