-- Stores a player's answer to the open question. [contract 5.4]
-- KEYS[1] match  KEYS[2] questions
-- ARGV[1…4] the request, as answer-refusals.lua describes it
-- ARGV[5] the answer as JSON of `optionId`, or of `text` and `verdict`
-- Replies: 'stored' | {'complete', the game's snapshot} (it was the last awaited answer) | a refusal

local refused = refusal()
if refused then return refused end

local awaited = tonumber(match[11]) - 1
local given = cjson.decode(ARGV[5])
given.elapsedMs = now - tonumber(match[4])
local stored = cjson.encode(given)
redis.call('HSET', KEYS[1], 'answer:' .. ARGV[2], stored,
  'token:' .. ARGV[2], ARGV[4], 'version', match[10] + 1, 'awaited', awaited)
if awaited > 0 then return 'stored' end
redis.call('HSET', KEYS[1], 'complete', 'all_answered')
return { 'complete', snapshot(KEYS[1], KEYS[2]) }
