-- Moves ownership, once acquire.lua or intervene.lua has decided that it may.
--
-- A lease is a hash that is never deleted and never expires: the counter must outlive the holder.
--   token, attempt    the current owner's proof
--   owner             the latest transfer as one line, the same line that history keeps
--   deadline, seen    microseconds of store time: when it may be given away; the latest time written here
--   term              how far ahead the deadline was last set
--   released          1 once the owner gave it back
--   progress_token, progress_at, progress_note, checkpoint    see progress.lua

-- A name that was never held is also how a Redis looks that lost its data. A client that is still there gives it back its
-- identity, so that fences go on comparing tokens; if somebody else gave it another one, two identities must not mix.
if not before and not redis.call('SET', KEYS[4], ARGV[5], 'NX') and redis.call('GET', KEYS[4]) ~= ARGV[5] then
    return redis.error_reply('LEASEHOLD-OTHERSTORE')
end

-- The free texts come last, and the holder's length before it, so that neither can be mistaken for a separator.
local owner = token .. ' ' .. now_text .. ' ' .. reason .. ' ' .. attempt .. ' ' .. #holder .. ' ' .. holder .. note
redis.call('HSET', KEYS[1], 'token', token, 'attempt', attempt, 'owner', owner, 'deadline', whole(now + ttl), 'term', ttl,
    'released', leave_free and '1' or '0', 'seen', now_text)
-- At least 64 are kept. Trimmed now and then instead of every time: that spares most grants a call.
if redis.call('LPUSH', KEYS[2], owner) > 128 then
    redis.call('LTRIM', KEYS[2], 0, 63)
end
if not before then
    redis.call('ZADD', KEYS[3], 0, ARGV[4])
end
if leave_free then
    -- Only a courtesy to waiters, who look again by themselves: a user without the right to publish may still do this.
    redis.pcall('PUBLISH', channel, '')
end
-- The plain line instead of a list: the cheapest answer for the commonest outcome.
return owner
