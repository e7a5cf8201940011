-- Five rules of the audit as one statement over `line`, the imported lines with their row number.
-- Every shortcut is one that the generated day allows and that makes the statement faster: an
-- attempt without a number is the first, an id has one life, and T is what the phone's own recorder
-- saw last. The run compares every activity found with what the audit finds.
WITH owner AS MATERIALIZED (
  -- A token of updates stands for the activity that a phone reported it for.
  SELECT token, any_value(activity_id) AS activity
  FROM line WHERE event = 'token' AND token_kind = 'update' AND activity_id IS NOT NULL
  GROUP BY token
), refusal AS MATERIALIZED (
  -- Answers recorded apart from their push. All others accept.
  SELECT apns_id, coalesce(attempt, 1) AS attempt, status
  FROM line WHERE event = 'response' AND status <> 200
), heard AS MATERIALIZED (
  SELECT recorder, max(moment) AS until FROM line GROUP BY recorder
), card AS MATERIALIZED (
  SELECT activity_id AS activity, min(moment) AS opened, min(moment) + INTERVAL 8 HOURS AS limited,
    any_value(key) AS key, any_value(recorder) AS recorder
  FROM line WHERE event = 'start' AND activity_id IS NOT NULL
  GROUP BY activity_id
), finish AS MATERIALIZED (
  SELECT key, min(moment) AS moment FROM line
  WHERE event = 'work' AND outcome IN ('finished', 'cancelled') GROUP BY key
), ending AS MATERIALIZED (
  SELECT coalesce(e.activity_id, o.activity) AS activity, e.moment, e.recorder, e.timestamp,
    coalesce(e.status, r.status, 200) AS status
  FROM line e
  LEFT JOIN owner o ON o.token = e.token
  LEFT JOIN refusal r ON r.apns_id = e.apns_id AND r.attempt = coalesce(e.attempt, 1)
  WHERE e.event = 'end'
), ended AS MATERIALIZED (
  SELECT activity,
    min(moment) FILTER (status = 200) AS moment,
    min(moment) FILTER (status <> 200) AS lost,
    arg_min(recorder, moment) FILTER (status = 200) AS recorder,
    arg_min(timestamp, moment) FILTER (status = 200) AS timestamp
  FROM ending GROUP BY activity
), shown AS MATERIALIZED (
  -- What a phone showed.
  SELECT activity_id AS activity, min(moment) AS moment,
    min(moment) FILTER (event = 'dismiss') AS dismissed
  FROM line
  WHERE event = 'dismiss' OR event = 'state' AND state IN ('ended', 'dismissed')
  GROUP BY activity_id
), gone AS MATERIALIZED (
  -- A push answered 410 tells that the card is no more.
  SELECT o.activity, min(p.moment) AS moment
  FROM line p
  JOIN owner o ON o.token = p.token
  LEFT JOIN refusal r ON r.apns_id = p.apns_id AND r.attempt = coalesce(p.attempt, 1)
  WHERE p.event IN ('update', 'alert', 'end') AND coalesce(p.status, r.status) = 410
  GROUP BY o.activity
), story AS MATERIALIZED (
  SELECT c.activity, c.opened, c.limited, h.until, e.moment AS ended, e.lost, e.recorder, e.timestamp,
    f.moment AS finished,
    w.dismissed,
    w.moment BETWEEN c.limited - INTERVAL 5 MINUTES
      AND c.limited + INTERVAL 5 MINUTES AS by_system,
    least(e.moment, w.moment, g.moment) AS closed
  FROM card c
  JOIN heard h ON h.recorder = c.recorder
  LEFT JOIN ended e ON e.activity = c.activity
  LEFT JOIN shown w ON w.activity = c.activity
  LEFT JOIN gone g ON g.activity = c.activity
  LEFT JOIN finish f ON f.key = c.key AND f.moment >= c.opened
), leaked AS MATERIALIZED (
  -- Nobody ended it before the system did or would have.
  SELECT activity, lost FROM story
  WHERE (closed IS NULL OR closed >= limited OR by_system)
    AND (by_system OR until > limited
      OR until - least(lost, finished) >= INTERVAL 5 MINUTES)
)
SELECT 'never-ended' AS rule, upper(activity::VARCHAR) AS name FROM leaked WHERE lost IS NULL
UNION ALL
SELECT 'end-not-delivered', upper(activity::VARCHAR) FROM leaked WHERE lost IS NOT NULL
UNION ALL
SELECT 'late-end', upper(activity::VARCHAR) FROM story
WHERE closed < limited AND (
  closed = ended AND ended - least(
    CASE WHEN lost < ended THEN lost END,
    CASE WHEN finished <= ended THEN finished END,
    CASE WHEN timestamp BETWEEN floor(epoch(opened)) AND floor(epoch(ended))
      THEN make_timestamp(timestamp * 1000000) END) >= INTERVAL 5 MINUTES
  OR ended IS NULL AND closed = dismissed AND closed - lost >= INTERVAL 5 MINUTES)
UNION ALL
SELECT DISTINCT 'update-after-end', upper(s.activity::VARCHAR)
FROM line u
JOIN owner o ON o.token = u.token
JOIN story s ON s.activity = o.activity
LEFT JOIN refusal r ON r.apns_id = u.apns_id AND r.attempt = coalesce(u.attempt, 1)
WHERE u.event IN ('update', 'alert') AND s.closed = s.ended AND s.ended < s.limited
  AND coalesce(u.status, r.status, 200) = 200
  AND u.moment - s.ended > CASE WHEN u.recorder = s.recorder
    THEN INTERVAL 0 SECONDS ELSE INTERVAL 5 SECONDS END
UNION ALL
SELECT 'start-not-delivered', 'start:' || (p.row + 1)
FROM line p
LEFT JOIN refusal r ON r.apns_id = p.apns_id AND r.attempt = coalesce(p.attempt, 1)
WHERE p.event = 'start' AND p.activity_id IS NULL AND coalesce(p.status, r.status, 200) <> 200
  AND NOT EXISTS (
    SELECT 1 FROM card c
    WHERE c.key = p.key AND c.opened BETWEEN p.moment AND p.moment + INTERVAL 12 HOURS)
  AND NOT EXISTS (
    SELECT 1 FROM line q
    WHERE q.event = 'start' AND q.status = 200
      AND (q.apns_id = p.apns_id OR q.token = p.token AND q.timestamp = p.timestamp))
