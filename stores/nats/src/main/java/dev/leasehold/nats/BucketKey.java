package dev.leasehold.nats;

/** A key as a bucket permits it: letters, digits, and {@code - _ =}. Everything else is {@code =} and two digits. */
final class BucketKey {
    private BucketKey() {}

    static String encode(String key) {
        StringBuilder name = new StringBuilder(key.length() + 8);
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            boolean plain =
                    (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
            if (plain) {
                name.append(c);
            } else {
                name.append('=').append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
            }
        }
        return name.toString();
    }

    static String decode(String name) {
        StringBuilder key = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '=' && i + 2 < name.length()) {
                key.append((char) Integer.parseInt(name.substring(i + 1, i + 3), 16));
                i += 2;
            } else {
                key.append(c);
            }
        }
        return key.toString();
    }
}
