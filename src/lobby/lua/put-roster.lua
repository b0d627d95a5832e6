-- Makes a roster known and, to those who are connected, announces it; an older one than is known
-- changes nothing. That a game has begun or ended is said by the game's messages alone. [contract 10]
-- KEYS[1] lobby  KEYS[2] log  KEYS[3] channel
-- ARGV[1] time to live, ms  ARGV[2] who does it  ARGV[3] the roster's version  ARGV[4] roster, JSON
-- ARGV[5] when to announce: 'always' | 'changed' | 'soon': when it has changed, with others of a burst
-- Replies: in how many ms the caller has to have the change told, or 0

if redis.call('HEXISTS', KEYS[1], 'closed') == 1 then return 0 end
local is_known = redis.call('HEXISTS', KEYS[1], 'roster') == 1
local always = ARGV[5] == 'always'
local is_news, is_other = keep_newer_roster(ARGV[3], ARGV[4])
if not is_news and not always then return 0 end
local is_waiting = string.find(ARGV[4], '"status":"waiting"', 1, true)
-- What was on the screen of the last game is no longer, once its lobby waits again. [contract 11]
if is_news and is_waiting then redis.call('HDEL', KEYS[1], 'screen') end
if not is_known or not (always or is_waiting or is_other) then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  return 0
end
if ARGV[5] == 'soon' then
  local _, delay = tell_who_is_there(ARGV[2], now_ms(), ARGV[1])
  return delay
end
append_lobby_state(ARGV[2], now_ms(), ARGV[1])
return 0
