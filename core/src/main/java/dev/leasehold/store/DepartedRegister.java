package dev.leasehold.store;

import dev.leasehold.spi.ClocklessRegister;
import dev.leasehold.spi.ConnectedRegister;
import java.util.List;
import java.util.Optional;

/** The content of a store that moved away, only for reading: the values that have the mark, without it. */
final class DepartedRegister implements ClocklessRegister, ConnectedRegister {
    private final ConnectedRegister register;
    private final RegisterPart part;

    DepartedRegister(ConnectedRegister register, String part) {
        this.register = register;
        this.part = new RegisterPart(register, part);
    }

    @Override
    public Reading read(String key) {
        Reading reading = register.read(part.placed(key));
        String value = reading.value().orElse("");
        if (!value.startsWith(MovableRegister.MARK)) {
            return Reading.absent(reading.at());
        }
        String content = value.substring(MovableRegister.MARK.length());
        return new Reading(Optional.of(content), reading.version(), reading.at());
    }

    @Override
    public List<String> keys(String prefix, String after, int limit) {
        return part.keys(prefix, after, limit);
    }

    @Override
    public Optional<String> replace(String key, String expected, String value) {
        throw new UnsupportedOperationException("a store that moved away does not change any more");
    }

    @Override
    public void close() {
        register.close();
    }
}
