-- The five rules over `resolved`: one pass that groups, one that joins the few that ended.
WITH heard AS MATERIALIZED (
  SELECT recorder, max(moment) AS until FROM resolved GROUP BY recorder
), card AS MATERIALIZED (
  SELECT activity,
    any_value(name) FILTER (event = 'start') AS name,
    any_value(recorder) FILTER (event = 'start') AS phone,
    min(moment) FILTER (event = 'start') AS opened,
    min(moment) FILTER (event = 'work') AS finished,
    min(moment) FILTER (event = 'end' AND status = 200) AS ended,
    min(moment) FILTER (event = 'end' AND status <> 200) AS lost,
    arg_min(recorder, moment) FILTER (event = 'end' AND status = 200) AS recorder,
    arg_min(timestamp, moment) FILTER (event = 'end' AND status = 200) AS timestamp,
    min(moment) FILTER (event IN ('dismiss', 'over')) AS shown,
    min(moment) FILTER (event = 'dismiss') AS dismissed,
    min(moment) FILTER (status = 410) AS gone
  FROM resolved
  WHERE activity IS NOT NULL
    AND (event IN ('start', 'work', 'end', 'dismiss', 'over') OR status = 410)
  GROUP BY activity
), story AS MATERIALIZED (
  SELECT c.* EXCLUDE (finished),
    CASE WHEN finished >= opened THEN finished END AS finished,
    opened + INTERVAL 8 HOURS AS limited, h.until,
    shown BETWEEN opened + INTERVAL 475 MINUTES AND opened + INTERVAL 485 MINUTES AS by_system,
    least(ended, shown, gone) AS closed
  FROM card c JOIN heard h ON h.recorder = c.phone
  WHERE opened IS NOT NULL
), leaked AS MATERIALIZED (
  SELECT name, lost FROM story
  WHERE (closed IS NULL OR closed >= limited OR by_system)
    AND (by_system OR until > limited
      OR until - least(lost, finished) >= INTERVAL 5 MINUTES)
)
SELECT 'never-ended' AS rule, upper(name::VARCHAR) AS name FROM leaked WHERE lost IS NULL
UNION ALL
SELECT 'end-not-delivered', upper(name::VARCHAR) FROM leaked WHERE lost IS NOT NULL
UNION ALL
SELECT 'late-end', upper(name::VARCHAR) FROM story
WHERE closed < limited AND (
  closed = ended AND ended - least(
    CASE WHEN lost < ended THEN lost END,
    CASE WHEN finished <= ended THEN finished END,
    CASE WHEN timestamp BETWEEN floor(epoch(opened)) AND floor(epoch(ended))
      THEN make_timestamp(timestamp * 1000000) END) >= INTERVAL 5 MINUTES
  OR ended IS NULL AND closed = dismissed AND closed - lost >= INTERVAL 5 MINUTES)
UNION ALL
SELECT DISTINCT 'update-after-end', upper(s.name::VARCHAR)
FROM resolved u JOIN story s ON s.activity = u.activity
WHERE u.event IN ('update', 'alert') AND u.status = 200 AND s.closed = s.ended
  AND s.ended < s.limited
  AND u.moment - s.ended > CASE WHEN u.recorder = s.recorder
    THEN INTERVAL 0 SECONDS ELSE INTERVAL 5 SECONDS END
UNION ALL
SELECT 'start-not-delivered', 'start:' || (p.row + 1)
FROM resolved p
WHERE p.event = 'start' AND p.activity IS NULL AND p.status <> 200
  AND NOT EXISTS (
    SELECT 1 FROM resolved q
    WHERE q.event = 'start' AND q.key = p.key AND q.activity IS NOT NULL
      AND q.moment BETWEEN p.moment AND p.moment + INTERVAL 12 HOURS)
