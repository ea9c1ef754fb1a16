package dev.leasehold.work;

import dev.leasehold.model.LeaseName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Delivers the pending effects of the items of a name. An effect that cannot be delivered delays
 * only its own item.
 */
final class DeliveryRun {
    private static final int PAGE = 50;
    private static final int MAX_ITEMS = 10_000;

    /** Marks an effect as delivered. */
    @FunctionalInterface
    interface Marking {
        void delivered(Effect effect);
    }

    private final PendingEffects pending;
    private final Function<WorkId, Optional<WorkItem>> items;
    private final EffectHandler handler;
    private final Marking marking;
    private final List<String> delivered = new ArrayList<>();
    private final List<Delivery.Left> left = new ArrayList<>();

    DeliveryRun(
            PendingEffects pending,
            Function<WorkId, Optional<WorkItem>> items,
            EffectHandler handler,
            Marking marking) {
        this.pending = pending;
        this.items = items;
        this.handler = handler;
        this.marking = marking;
    }

    /** @param mayGoOn checked before each item */
    Delivery run(LeaseName name, BooleanSupplier mayGoOn) throws InterruptedException {
        String after = "";
        for (int seen = 0; seen < MAX_ITEMS; seen += PAGE) {
            List<PendingEffects.Marker> page = pending.of(name, after, PAGE);
            for (PendingEffects.Marker marker : page) {
                if (!mayGoOn.getAsBoolean()) {
                    return new Delivery(delivered, left);
                }
                deliverAll(marker);
                after = marker.entry();
            }
            if (page.size() < PAGE) {
                break;
            }
        }
        return new Delivery(delivered, left);
    }

    private void deliverAll(PendingEffects.Marker marker) throws InterruptedException {
        Optional<WorkItem> item = items.apply(marker.id());
        List<Effect> waiting = item.map(WorkItem::pendingEffects).orElse(List.of());
        for (Effect effect : waiting) {
            if (!deliver(effect)) {
                return;
            }
        }
        // A running item may have announced effects already and be about to complete.
        if (item.map(WorkItem::state).orElse(WorkState.OPEN) != WorkState.RUNNING) {
            pending.remove(marker);
        }
    }

    private boolean deliver(Effect effect) throws InterruptedException {
        try {
            handler.deliver(effect);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            left.add(new Delivery.Left(effect, e));
            return false;
        }
        marking.delivered(effect);
        delivered.add(effect.id());
        return true;
    }
}
