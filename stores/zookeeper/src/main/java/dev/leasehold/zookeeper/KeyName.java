package dev.leasehold.zookeeper;

/** A key as the name of a znode, which must not have a slash and must be neither one dot nor two. */
final class KeyName {
    private KeyName() {}

    static String encode(String key) {
        StringBuilder name = new StringBuilder(key.length() + 8);
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            switch (c) {
                case '%' -> name.append("%25");
                case '/' -> name.append("%2f");
                case '.' -> name.append(i == 0 ? "%2e" : ".");
                default -> name.append(c);
            }
        }
        return name.toString();
    }

    static String decode(String name) {
        if (name.indexOf('%') < 0) {
            return name;
        }
        return name.replace("%2e", ".").replace("%2f", "/").replace("%25", "%");
    }
}
