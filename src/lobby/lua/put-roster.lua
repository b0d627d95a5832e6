-- Makes a roster known and, to those who are connected, announces it; an older one than is known
-- changes nothing.
-- KEYS[1] lobby  KEYS[2] log  KEYS[3] channel
-- ARGV[1] time to live, ms  ARGV[2] who does it  ARGV[3] the roster's version  ARGV[4] roster, JSON
-- Replies: 'announced' | 'stored' (the first roster: nobody is connected yet) | 'known' | 'closed'

if redis.call('HEXISTS', KEYS[1], 'closed') == 1 then return 'closed' end
local first = redis.call('HEXISTS', KEYS[1], 'roster') == 0
if not keep_newer_roster(ARGV[3], ARGV[4]) then return 'known' end
if first then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  return 'stored'
end
append_lobby_state(ARGV[2], now_ms(), ARGV[1])
return 'announced'
