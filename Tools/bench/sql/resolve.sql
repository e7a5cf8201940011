-- What the five rules read, with identity and answers joined once and for all: an activity is a
-- number. A database kept for this audit alone would hold this table; making it is not timed.
CREATE TEMP TABLE resolved AS
WITH owner AS (
  SELECT token, any_value(activity_id) AS activity
  FROM line WHERE event = 'token' AND token_kind = 'update' AND activity_id IS NOT NULL
  GROUP BY token
), answer AS (
  SELECT apns_id, coalesce(attempt, 1) AS attempt, any_value(status) AS status
  FROM line WHERE event = 'response' GROUP BY ALL
), named AS (
  SELECT activity_id AS activity, row_number() OVER (ORDER BY min(row))::INTEGER AS number
  FROM line WHERE activity_id IS NOT NULL GROUP BY activity_id
), work AS (
  SELECT key, any_value(activity_id) AS activity
  FROM line WHERE event = 'start' AND activity_id IS NOT NULL GROUP BY key
)
SELECT l.row, n.number AS activity, n.activity AS name, l.moment, l.timestamp,
  CASE WHEN l.event = 'state' AND l.state IN ('ended', 'dismissed') THEN 'over'
    ELSE l.event END AS event,
  l.recorder, coalesce(l.status, a.status, 200)::SMALLINT AS status, l.key
FROM line l
LEFT JOIN owner o ON o.token = l.token AND l.event <> 'start'
LEFT JOIN work w ON w.key = l.key AND l.event = 'work'
  AND l.outcome IN ('finished', 'cancelled')
LEFT JOIN answer a ON a.apns_id = l.apns_id AND a.attempt = coalesce(l.attempt, 1)
  AND l.event <> 'response'
LEFT JOIN named n ON n.activity = coalesce(l.activity_id, o.activity, w.activity)
ORDER BY l.row
