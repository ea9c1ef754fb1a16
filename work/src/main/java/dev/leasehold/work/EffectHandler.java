package dev.leasehold.work;

/** Carries an effect out. It may be asked to do so more than once: {@link Effect#id()} tells repeats. */
@FunctionalInterface
public interface EffectHandler {
    /** Returns when the effect has happened; whatever it throws leaves the effect to be delivered later. */
    void deliver(Effect effect) throws Exception;
}
