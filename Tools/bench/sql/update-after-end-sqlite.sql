-- One rule of the five in SQLite's words: an update or alert, not refused, after an end that took
-- effect. Its times are texts of one width, so they compare as they are.
WITH owner AS MATERIALIZED (
  SELECT token, min("activity-id") AS activity
  FROM line WHERE event = 'token' AND "token-kind" = 'update' AND "activity-id" IS NOT NULL
  GROUP BY token
), refusal AS MATERIALIZED (
  SELECT "apns-id" AS push, coalesce(attempt, 1) AS attempt, status
  FROM line WHERE event = 'response' AND status <> 200
), ended AS MATERIALIZED (
  SELECT coalesce(e."activity-id", o.activity) AS activity, min(e.at) AS at, e.recorder
  FROM line e
  LEFT JOIN owner o ON o.token = e.token
  LEFT JOIN refusal r ON r.push = e."apns-id" AND r.attempt = coalesce(e.attempt, 1)
  WHERE e.event = 'end' AND coalesce(e.status, r.status, 200) = 200
  GROUP BY 1
)
SELECT DISTINCT 'update-after-end' AS rule, e.activity AS name
FROM line u
JOIN owner o ON o.token = u.token
JOIN ended e ON e.activity = o.activity
LEFT JOIN refusal r ON r.push = u."apns-id" AND r.attempt = coalesce(u.attempt, 1)
WHERE u.event IN ('update', 'alert') AND u.at > e.at
  AND coalesce(u.status, r.status, 200) = 200
  AND (u.recorder = e.recorder OR julianday(u.at) - julianday(e.at) > 5.0 / 86400)
