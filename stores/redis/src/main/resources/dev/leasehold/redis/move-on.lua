-- Records how far a move has come, unless another process moves the store now.
-- KEYS: id, mover.   ARGV: the mover, the text in the place of the id.
if redis.call('GET', KEYS[2]) ~= ARGV[1] then
    return 0
end
redis.call('SET', KEYS[1], ARGV[2])
return 1
