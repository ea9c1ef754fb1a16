-- The fence of a target in Redis and the rules by which it admits a grant. Put this in front of your own script, call
-- leasehold_admit before its first write, and return its result if that is not nil.
--
-- The fence is a hash: name, store, raised (the highest token seen), attempt (the attempt of that token), and for writes
-- that happen only once the token (once) and the digest of the latest. An empty text means unknown and matches anything.
--
-- Tokens are compared as text: Lua's numbers are exact only up to 2^53, and tokens go up to 2^63 - 1.

local function leasehold_is_below(a, b)
    if #a ~= #b then
        return #a < #b
    end
    return a < b
end

local function leasehold_differ(a, b)
    return a ~= '' and b ~= '' and a ~= b
end

-- Returns the fence, and a refusal if the grant may not write. A digest requests the grant's one write.
local function leasehold_check(fence_key, name, token, attempt, store, digest)
    local f = redis.call('HMGET', fence_key, 'name', 'store', 'raised', 'attempt', 'once', 'digest')
    if not f[1] and not f[3] then
        return nil, nil
    end
    for i = 1, 6 do
        f[i] = f[i] or ''
    end
    local fence = {name = f[1], store = f[2], raised = f[3], attempt = f[4], once = f[5]}
    if fence.name ~= name
        or leasehold_differ(fence.store, store)
        or leasehold_is_below(token, fence.raised)
        or (token == fence.raised and leasehold_differ(fence.attempt, attempt))
        or (digest ~= '' and fence.once ~= '' and not leasehold_is_below(fence.once, token)) then
        return fence, {'refused', f[1], f[2], f[3], f[4], f[5], f[6]}
    end
    return fence, nil
end

-- Records an admitted grant. A field that the grant does not know keeps its value, unless the token is new.
local function leasehold_advance(fence, fence_key, name, token, attempt, store, digest)
    if digest ~= '' then
        redis.call('HSET', fence_key, 'once', token, 'digest', digest)
    end
    if fence and fence.raised == token and (fence.attempt ~= '' or attempt == '') and (fence.store ~= '' or store == '') then
        return
    end
    if fence and fence.store ~= '' then
        store = fence.store
    end
    if fence and fence.raised == token and fence.attempt ~= '' then
        attempt = fence.attempt
    end
    redis.call('HSET', fence_key, 'name', name, 'store', store, 'raised', token, 'attempt', attempt)
end

-- Returns nil if the grant may write; every older grant is refused from then on. Otherwise returns the refusal, which the
-- script must return.
local function leasehold_admit(fence_key, name, token, attempt, store)
    local fence, refused = leasehold_check(fence_key, name, token, attempt, store, '')
    if not refused then
        leasehold_advance(fence, fence_key, name, token, attempt, store, '')
    end
    return refused
end
