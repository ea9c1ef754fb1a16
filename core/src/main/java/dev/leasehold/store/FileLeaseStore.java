package dev.leasehold.store;

import dev.leasehold.internal.Step;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.internal.Transition;
import dev.leasehold.internal.disk.Disk;
import dev.leasehold.internal.disk.FileNames;
import dev.leasehold.internal.disk.NetworkFileSystems;
import dev.leasehold.internal.disk.TwoCopyFile;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Forgetting;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import dev.leasehold.model.TransferReason;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.Ids;
import dev.leasehold.spi.IncomingStore;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.OutgoingStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.spi.Watch;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Leases in a directory, shared by the processes of one host, or of several hosts if the locks of
 * the file system work. The embedded default: no server, readable text, a handful of files per
 * name.
 *
 * <p>Each step runs under the lock of the name's {@code state} file. Each grant is a separate file,
 * hard-linked to the name of its token, so a token cannot be issued twice even if a lock is lost
 * (on a network file system with a paused client). Renewals and releases replace {@code state} in
 * place. The current owner is the highest grant; {@code state} counts only if it has the same
 * token. The clock is the modification time that the file system gives to a file, so hosts that
 * share the directory agree.
 */
public final class FileLeaseStore extends SteppedLeaseStore {
    private static final Duration LOCK_WAIT = Duration.ofSeconds(10);

    /** After this, a reader reads without the lock, which a stopped process may have. */
    private static final Duration LOOK_WAIT = Duration.ofMillis(250);

    static final String STATE = "state";
    private static final int MAX_TRIES = 8;

    private final FileStoreHome home;
    private final Path root;
    private final Path leases;
    private final Ids ids;
    private final FileRegister register;
    private final FloorFiles floor;
    private final FileForgetting forgetting;
    private final FileListing listing;

    /** The grants whose file names this client has synced, so that it need not sync them again. */
    private final Map<Path, FencingToken> durable = new ConcurrentHashMap<>();

    private final RenewalPatience patience = new RenewalPatience(LOCK_WAIT);

    FileLeaseStore(FileStoreHome home, Ids ids) {
        super(home.id());
        this.home = home;
        this.root = home.root();
        this.leases = home.leases();
        this.ids = ids;
        this.register = new FileRegister(home, ids);
        this.floor = new FloorFiles(leases, ids);
        this.forgetting = new FileForgetting(leases, floor);
        this.listing = new FileListing(leases, this::inspect);
    }

    /**
     * Opens the store in a directory.
     *
     * @throws dev.leasehold.model.StoreMissingException if there is none; none is created
     */
    public static FileLeaseStore open(Path directory) {
        return new FileLeaseStore(FileStoreHome.open(directory), new SystemIds());
    }

    /** Opens the store in a directory, and creates it if the directory is empty or missing. */
    public static FileLeaseStore create(Path directory) {
        return create(directory, new SystemIds());
    }

    /** The same, with the given source of random ids: for tests that must be repeatable. */
    public static FileLeaseStore create(Path directory, Ids ids) {
        return new FileLeaseStore(FileStoreHome.create(directory, ids), ids);
    }

    /**
     * Makes a copy of a store usable in place of the original. The caller is responsible for the
     * original: if it is used any longer, both grant the same tokens.
     */
    public static FileLeaseStore adopt(Path directory) {
        return new FileLeaseStore(FileStoreHome.adopt(directory, new SystemIds()), new SystemIds());
    }

    /** See {@link dev.leasehold.spi.StoreProvider#moveAway}. */
    public static OutgoingStore moveAway(Path directory, String to) {
        return OutgoingFileStore.start(directory, to);
    }

    /** See {@link dev.leasehold.spi.StoreProvider#receive}. */
    public static IncomingStore receive(Path directory, StoreId id) {
        return IncomingFileStore.start(directory, id);
    }

    @Override
    <T> T step(LeaseName name, Transition<T> transition) {
        return explained(directoryOf(name), () -> step(name, transition, LOCK_WAIT));
    }

    /** To lift the counter of a name whose record cannot be read, the record is set aside. */
    @Override
    public Acquisition intervene(Intervention move) {
        try {
            return super.intervene(move);
        } catch (StoreCorruptException e) {
            if (move.kind() != TransferReason.RECOVERED) {
                throw e;
            }
            return mend(move);
        }
    }

    private Acquisition mend(Intervention move) {
        Path directory = directoryOf(move.name());
        return explained(directory, () -> new DamagedLease(root, directory, directory.resolve(STATE), ids, floor.read())
                .mend(move, this::intervention));
    }

    @Override
    public List<Renewal> renew(List<RenewRequest> requests) {
        return new RenewalRounds(requests, this::renewOnce, patience.with(requests)).run();
    }

    private Renewal renewOnce(RenewRequest request, Duration wait) throws TwoCopyFile.LockedException {
        try {
            return step(request.grant().name(), renewal(request), wait);
        } catch (TwoCopyFile.LockedException e) {
            throw e;
        } catch (IOException e) {
            throw failed(e, directoryOf(request.grant().name()));
        }
    }

    @Override
    <T> T look(LeaseName name, Transition<T> reading) {
        try {
            return step(name, reading, LOOK_WAIT);
        } catch (IOException e) {
            if (e instanceof TwoCopyFile.LockedException || Disk.isUnwritable(e)) {
                return lookWithoutTheLock(name, reading, e);
            }
            throw failed(e, directoryOf(name));
        }
    }

    /**
     * For a user without write permission, and for a name that a stopped process has locked. Uses
     * the clock of this host.
     */
    private <T> T lookWithoutTheLock(LeaseName name, Transition<T> reading, IOException reason) {
        Path directory = directoryOf(name);
        try {
            Path stateFile = directory.resolve(STATE);
            // It still waits for the other threads of this process, which finish or give up.
            String text = TwoCopyFile.peek(stateFile, TwoCopyFile.Size.SMALL, LOCK_WAIT);
            LeaseRecord record = GrantFiles.list(directory).current(name, text, stateFile);
            return reading.decide(record, record == null ? floor.read() : 0, Instant.now())
                    .answer();
        } catch (NoSuchFileException e) {
            // Forgotten meanwhile, or gone with the store.
            return explained(directory, () -> step(name, reading, LOOK_WAIT));
        } catch (IOException e) {
            throw failed(reason, directory);
        }
    }

    private Path directoryOf(LeaseName name) {
        return leases.resolve(FileNames.encode(name.value()));
    }

    private <T> T step(LeaseName name, Transition<T> transition, Duration wait) throws IOException {
        Path directory = directoryOf(name);
        if (home.wasReplaced()) {
            durable.clear();
            floor.distrust();
        }
        try {
            for (int tries = 0; tries < MAX_TRIES; tries++) {
                Optional<Step<T>> done = tryStep(directory, name, transition, wait);
                if (done.isPresent()) {
                    return done.get().answer();
                }
            }
        } catch (TwoCopyFile.CorruptException e) {
            throw new StoreCorruptException(e.getMessage() + ", or " + DamagedLease.SET_ASIDE, e);
        }
        throw new StoreUnavailableException(
                "the lock of " + directory + " does not work: another process wrote it at the" + " same time, "
                        + MAX_TRIES + " times. Nothing was changed; use a file system whose locks work");
    }

    /**
     * Empty if another process wrote although the lock was held, so the decision was based on an
     * old record, or if the name was forgotten meanwhile.
     */
    private <T> Optional<Step<T>> tryStep(Path directory, LeaseName name, Transition<T> transition, Duration wait)
            throws IOException {
        Path stateFile = directory.resolve(STATE);
        try {
            if (!Disk.exists(stateFile) && isNew(directory, stateFile)) {
                // A question about an unknown name must not create it.
                Step<T> step = transition.decide(null, floor.read(), Instant.EPOCH);
                if (step.write() == null) {
                    return Optional.of(step);
                }
                make(directory);
            }
            Optional<Step<T>> done = lockedStep(directory, name, transition, wait);
            if (done.isEmpty()) {
                forgetting.finish(directory);
            }
            return done;
        } catch (TwoCopyFile.LostLockException e) {
            return Optional.empty();
        } catch (NoSuchFileException e) {
            if (!Disk.exists(leases)) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private <T> Optional<Step<T>> lockedStep(Path directory, LeaseName name, Transition<T> transition, Duration wait)
            throws IOException {
        Path stateFile = directory.resolve(STATE);
        try (TwoCopyFile state = TwoCopyFile.open(stateFile, TwoCopyFile.Size.SMALL, "lease " + name, wait)) {
            GrantFiles grants = GrantFiles.list(directory);
            LeaseRecord record = grants.current(name, state.text(), stateFile);
            // Read under the lock of the name, which nobody can forget meanwhile.
            Step<T> step = transition.decide(record, record == null ? floor.read() : 0, state.openedAt());
            boolean forgotten = step.write() != null && record == null && RecordText.isForgotten(state.text());
            return !forgotten && write(state, grants, step, directory) ? Optional.of(step) : Optional.empty();
        }
    }

    @Override
    public List<Forgetting> forget(List<ForgetRequest> requests) {
        return explained(leases, () -> forgetting.forget(requests));
    }

    @Override
    public long floor() {
        return explained(leases, floor::read);
    }

    FileForgetting forgetting() {
        return forgetting;
    }

    /**
     * Whether a name without a state file was never leased. If the store's directory is missing,
     * nothing is known about its names. A state file is created before the first grant, and removed after the last.
     */
    private boolean isNew(Path directory, Path stateFile) throws IOException {
        if (!Disk.exists(leases)) {
            FileStoreMarker.requireHere(root);
            throw new StoreUnavailableException("the store cannot be used: " + leases
                    + " is gone, so its leases are unknown. Mount it or move it back");
        }
        if (!Disk.exists(directory) || GrantFiles.list(directory).highest() == 0) {
            return true;
        }
        if (!Disk.exists(stateFile)) {
            throw new StoreCorruptException(stateFile
                    + " is missing beside the grants of its name. Nothing was changed;" + " " + DamagedLease.REMEDY);
        }
        return false;
    }

    private void make(Path directory) throws IOException {
        try {
            // Not its parents: they are gone if the store was moved.
            Files.createDirectory(directory);
        } catch (FileAlreadyExistsException e) {
            // Another process asks for the same new name.
        }
        GrantFiles.createState(directory, "", ids);
        Disk.syncDirectory(leases);
    }

    /** False if another process wrote meanwhile, so that the decision does not count. */
    private boolean write(TwoCopyFile state, GrantFiles grants, Step<?> step, Path directory) throws IOException {
        LeaseRecord write = step.write();
        if (write == null) {
            if (step.answer() instanceof Acquisition.Granted again) {
                keepGrant(directory, again.grant().token());
            }
            return true;
        }
        boolean current =
                step.transfers() ? publish(state, grants, write, directory) : replaceState(state, write, directory);
        if (write.released()) {
            FileWatch.wake(directory);
        }
        return current;
    }

    private boolean publish(TwoCopyFile state, GrantFiles grants, LeaseRecord write, Path directory)
            throws IOException {
        if (grants.highest() == 0) {
            // The process that created the directory may have died before it synced the name.
            Disk.syncDirectory(leases);
        }
        boolean published = grants.publish(write, state, ids);
        if (published) {
            durable.put(directory, write.token());
        }
        return published;
    }

    private boolean replaceState(TwoCopyFile state, LeaseRecord write, Path directory) throws IOException {
        keepGrant(directory, write.token());
        state.replace(RecordText.format(write, List.of()));
        if (write.released()) {
            durable.remove(directory);
        }
        // Checked again before answering: a grant made in spite of our lock outranks what we wrote.
        return GrantFiles.list(directory).highest() == write.token().value();
    }

    /**
     * Syncs the name of the grant, because the process that linked it may have died before it did.
     * If a crash lost the grant but not its state or its answer, the token would go backwards.
     */
    private void keepGrant(Path directory, FencingToken token) throws IOException {
        if (!token.equals(durable.get(directory))) {
            Disk.syncDirectory(directory);
            durable.put(directory, token);
        }
    }

    @Override
    boolean erase(LeaseName name) {
        Path directory = directoryOf(name);
        return explained(directory, () -> NameRemoval.erase(directory));
    }

    @Override
    public Optional<String> atomicBecause() {
        return NetworkFileSystems.reasonToDoubt(leases).isPresent()
                ? Optional.empty()
                : Optional.of(
                        "each step runs under a file lock, and a grant is a hard link that can be created only once");
    }

    @Override
    public List<LeaseSnapshot> list(String prefix, String after, int limit) {
        return explained(leases, () -> listing.list(prefix, after, limit));
    }

    @Override
    public List<LeaseName> names(String prefix, String after, int limit) {
        return explained(leases, () -> listing.names(prefix, after, limit));
    }

    @Override
    public List<Transfer> history(LeaseName name, int limit) {
        Path directory = directoryOf(name);
        return explained(
                directory,
                () -> Disk.exists(directory) || !isNew(directory, directory.resolve(STATE))
                        ? GrantFiles.list(directory).newest(limit)
                        : List.of());
    }

    @Override
    public Optional<Watch> watch(LeaseName name) {
        try {
            return Optional.of(FileWatch.on(directoryOf(name)));
        } catch (StoreUnavailableException e) {
            // Too many watches on this host, or no permission to write: the caller polls.
            return Optional.empty();
        }
    }

    @Override
    public CasRegister register() {
        return register;
    }

    @Override
    public void close() {}

    private interface Work<T> {
        T run() throws IOException;
    }

    private <T> T explained(Path at, Work<T> work) {
        try {
            return work.run();
        } catch (IOException e) {
            throw failed(e, at);
        }
    }

    /** @throws dev.leasehold.model.StoreMovedException if the step failed because the store went elsewhere */
    private StoreUnavailableException failed(IOException e, Path at) {
        if (e instanceof NoSuchFileException) {
            FileStoreMarker.requireHere(root);
        }
        return unavailable(e, at);
    }

    static StoreUnavailableException unavailable(IOException e, Path at) {
        Path place =
                e instanceof FileSystemException failed && failed.getFile() != null ? Path.of(failed.getFile()) : at;
        return new StoreUnavailableException("the store cannot be used: " + Disk.explain(e, place), e);
    }
}
