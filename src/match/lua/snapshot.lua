-- Shared by the scripts that tell how a game stands: the game at one instant, with no more of its
-- questions than the end of a phase needs. It is one text, since for the API each part of a reply is as
-- dear as to parse them all; no part has a zero character, which PostgreSQL does not keep and JSON escapes.
-- match: its key  questions: theirs (hash of round)
-- Returns fields and values of the match in turns, the open round's question or '', and the next one's

local function snapshot(match, questions)
  local round = redis.call('HGET', match, 'round') or 0
  local parts = redis.call('HGETALL', match)
  for _, question in ipairs(redis.call('HMGET', questions, round, round + 1)) do
    parts[#parts + 1] = question or ''
  end
  return table.concat(parts, '\0')
end
