-- Judges an answer in one step: of any number of concurrent answers to a question one is judged. The
-- last question's answer deletes the session. [contract 3]
--
-- KEYS[1]  the session, as ../store.ts writes it
-- KEYS[2]  the session when it is over, for the moment in which a broken connection may make a request
--          arrive again; ARGV[5] for how long, ms
-- KEYS[3]  the queue of judged answers beside the session
-- ARGV[1]  who answers, ARGV[2] which question, ARGV[3] with which option
-- ARGV[4]  the name of this one request, as long as the place for it in the session
--
-- Replies, checked in this order:
--   session_not_found | session_forbidden | question_not_found | already_answered
--   judged, the correct option, how many are correct, how many are answered, how many there are,
--   the nonce
--   older, where the release before has stored the session: answer-older.lua reads it

local session = redis.pcall('GET', KEYS[1])
if type(session) == 'table' then
  return string.find(session.err, 'WRONGTYPE', 1, true) and { 'older' } or session
end
local is_over = not session
if is_over then session = redis.call('GET', KEYS[2]) end
if not session then return { 'session_not_found' } end
local function refuse(word) return { is_over and 'session_not_found' or word } end

local OPEN, RIGHT, WRONG = string.byte('-rw', 1, 3)
local width = 1 + #ARGV[4]
local total = tonumber(string.sub(session, 1, 2))
local user_at = 3 + total * width
local user_end = string.find(session, '\n', user_at, true) - 1
if string.sub(session, user_at, user_end) ~= ARGV[1] then return refuse('session_forbidden') end
local at = string.find(session, '\n' .. ARGV[2] .. ' ', user_end, true)
if not at then return refuse('question_not_found') end
local index, option, nonce, word =
  string.match(session, '^(%d+) (%d) (%S+) ([^\n]+)', at + #ARGV[2] + 2)

local place = 3 + index * width
local state, name = string.byte(session, place), string.sub(session, place + 1, place + #ARGV[4])
local is_new = state == OPEN
if not is_new and name ~= ARGV[4] then return refuse('already_answered') end
if is_new then
  local is_right = option == ARGV[3]
  state = is_right and RIGHT or WRONG
  redis.call('SETRANGE', KEYS[1], place - 1, string.char(state) .. ARGV[4])
  queue_judged(KEYS[3], word, is_right and ARGV[1] or '', is_right and '' or ARGV[1])
end

local correct, answered = 0, 0
for each = 3, user_at - 1, width do
  local stands = each == place and state or string.byte(session, each)
  if stands ~= OPEN then answered = answered + 1 end
  if stands == RIGHT then correct = correct + 1 end
end
if is_new and answered == total then
  redis.call('RENAME', KEYS[1], KEYS[2])
  redis.call('PEXPIRE', KEYS[2], ARGV[5])
end
return { 'judged', tonumber(option), correct, answered, total, nonce }
