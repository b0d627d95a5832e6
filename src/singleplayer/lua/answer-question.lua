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
-- Replies one text, since each part of a list costs the reader as much as the whole; in this order:
--   session_not_found | session_forbidden | question_not_found | already_answered
--   judged, with these behind it, each on a line: the correct option, the nonce, what this answer
--     makes of its question's place (`-` when it stands there already), the places of all questions
--     as they were
--   older, where the release before has stored the session: answer-older.lua reads it

local session = redis.pcall('GET', KEYS[1])
if type(session) == 'table' then
  return string.find(session.err, 'WRONGTYPE', 1, true) and 'older' or session
end
local is_over = not session
if is_over then session = redis.call('GET', KEYS[2]) end
if not session then return 'session_not_found' end
local function refuse(word) return is_over and 'session_not_found' or word end

local OPEN = '-'
local width = 1 + #ARGV[4]
local user_at = 3 + tonumber(string.sub(session, 1, 2)) * width
local user_end = string.find(session, '\n', user_at, true) - 1
if string.sub(session, user_at, user_end) ~= ARGV[1] then return refuse('session_forbidden') end
local at = string.find(session, '\n' .. ARGV[2] .. ' ', user_end, true)
if not at then return refuse('question_not_found') end
local index, option, nonce, word =
  string.match(session, '^(%d+) (%d) (%S+) ([^\n]+)', at + #ARGV[2] + 2)

local place = 3 + index * width
local stands = string.sub(session, place, place + #ARGV[4])
local state = OPEN
if string.sub(stands, 1, 1) == OPEN then
  local is_right = option == ARGV[3]
  state = is_right and 'r' or 'w'
  -- As a text, since Redis writes a number as if it were a fraction.
  redis.call('SETRANGE', KEYS[1], string.format('%d', place - 1), state .. ARGV[4])
  queue_judged(KEYS[3], word, is_right and ARGV[1] or '', is_right and '' or ARGV[1])
  -- One after this one, if this is the first that is open.
  local open = string.find(session, stands, 3, true)
  if open == place then open = string.find(session, stands, place + width, true) end
  if not open or open >= user_at then
    redis.call('RENAME', KEYS[1], KEYS[2])
    redis.call('PEXPIRE', KEYS[2], ARGV[5])
  end
elseif string.sub(stands, 2) ~= ARGV[4] then
  return refuse('already_answered')
end
return 'judged\n' .. option .. '\n' .. nonce .. '\n' .. state .. '\n' .. string.sub(session, 3, user_at - 1)
