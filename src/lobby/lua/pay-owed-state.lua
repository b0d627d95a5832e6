-- Tells who is there now, if an earlier change has left that to be told by this time.
-- KEYS[1] lobby  KEYS[2] log  KEYS[3] channel
-- ARGV[1] time to live, ms  ARGV[2] who does it  ARGV[3] 'due' | 'now': also what is owed for later
-- Replies: 'told' | 'nothing'

local lobby = redis.call('HMGET', KEYS[1], 'owedAtMs', 'roster', 'closed')
local now = now_ms()
local is_due = lobby[1] and (ARGV[3] == 'now' or now >= tonumber(lobby[1]))
if not is_due or not lobby[2] or lobby[3] then return 'nothing' end
append_lobby_state(ARGV[2], now, ARGV[1])
return 'told'
