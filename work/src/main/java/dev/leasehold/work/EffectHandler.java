package dev.leasehold.work;

/**
 * Delivers an effect. It may be called more than once for one effect; {@link Effect#id()}
 * identifies repeats.
 */
@FunctionalInterface
public interface EffectHandler {
    /** Returns when the effect has happened. If it throws, the effect is delivered later. */
    void deliver(Effect effect) throws Exception;
}
