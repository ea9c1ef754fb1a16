package dev.leasehold.fence;

/** What a target on a disk is: it decides how a write that the fence has decided is put in place. */
enum TargetKind {
    FILE("file", "a file that is replaced whole, by 'leasehold write'"),
    DIRECTORY("directory", "a published directory, by 'leasehold publish'"),
    LOG("log", "a log, by 'leasehold append'");

    private final String word;
    private final String description;

    TargetKind(String word, String description) {
        this.word = word;
        this.description = description;
    }

    static TargetKind of(String word) {
        for (TargetKind kind : values()) {
            if (kind.word.equals(word)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("its kind of target is not known to this version");
    }

    String description() {
        return description;
    }

    @Override
    public String toString() {
        return word;
    }
}
