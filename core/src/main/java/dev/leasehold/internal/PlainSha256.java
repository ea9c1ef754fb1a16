package dev.leasehold.internal;

/**
 * SHA-256 (FIPS 180-4) of a short text without the security providers of the JDK, which take longer to load than many a
 * command runs. For long inputs the JDK is faster.
 */
final class PlainSha256 {
    private static final int BLOCK = 64;

    /** The first 32 bits of the fractions of the square roots of the first 8 primes, and of the cube roots of the first 64. */
    private static final int[] START = new int[8];

    private static final int[] ROUND = new int[BLOCK];

    static {
        int found = 0;
        for (int candidate = 2; found < BLOCK; candidate++) {
            if (isPrime(candidate)) {
                if (found < START.length) {
                    START[found] = fraction(Math.sqrt(candidate));
                }
                ROUND[found++] = fraction(Math.cbrt(candidate));
            }
        }
    }

    private PlainSha256() {}

    private static boolean isPrime(int number) {
        for (int divisor = 2; divisor * divisor <= number; divisor++) {
            if (number % divisor == 0) {
                return false;
            }
        }
        return true;
    }

    private static int fraction(double root) {
        return (int) (long) ((root - Math.floor(root)) * 0x1p32);
    }

    static byte[] digest(byte[] input) {
        byte[] padded = new byte[(input.length + 8) / BLOCK * BLOCK + BLOCK];
        System.arraycopy(input, 0, padded, 0, input.length);
        padded[input.length] = (byte) 0x80;
        putLong(padded, padded.length - 8, 8L * input.length);
        int[] state = START.clone();
        int[] words = new int[BLOCK];
        for (int block = 0; block < padded.length; block += BLOCK) {
            expand(padded, block, words);
            mix(state, words);
        }
        byte[] digest = new byte[4 * state.length];
        for (int i = 0; i < digest.length; i++) {
            digest[i] = (byte) (state[i / 4] >>> (24 - 8 * (i % 4)));
        }
        return digest;
    }

    private static void putLong(byte[] bytes, int at, long value) {
        for (int i = 0; i < 8; i++) {
            bytes[at + i] = (byte) (value >>> (56 - 8 * i));
        }
    }

    private static void expand(byte[] bytes, int block, int[] words) {
        for (int i = 0; i < 16; i++) {
            int at = block + 4 * i;
            words[i] = (bytes[at] << 24)
                    | ((bytes[at + 1] & 0xff) << 16)
                    | ((bytes[at + 2] & 0xff) << 8)
                    | (bytes[at + 3] & 0xff);
        }
        for (int i = 16; i < BLOCK; i++) {
            int a = words[i - 15];
            int b = words[i - 2];
            words[i] = words[i - 16]
                    + (Integer.rotateRight(a, 7) ^ Integer.rotateRight(a, 18) ^ (a >>> 3))
                    + words[i - 7]
                    + (Integer.rotateRight(b, 17) ^ Integer.rotateRight(b, 19) ^ (b >>> 10));
        }
    }

    private static void mix(int[] state, int[] words) {
        int a = state[0];
        int b = state[1];
        int c = state[2];
        int d = state[3];
        int e = state[4];
        int f = state[5];
        int g = state[6];
        int h = state[7];
        for (int i = 0; i < BLOCK; i++) {
            int first = h
                    + (Integer.rotateRight(e, 6) ^ Integer.rotateRight(e, 11) ^ Integer.rotateRight(e, 25))
                    + ((e & f) ^ (~e & g))
                    + ROUND[i]
                    + words[i];
            int second = (Integer.rotateRight(a, 2) ^ Integer.rotateRight(a, 13) ^ Integer.rotateRight(a, 22))
                    + ((a & b) ^ (a & c) ^ (b & c));
            h = g;
            g = f;
            f = e;
            e = d + first;
            d = c;
            c = b;
            b = a;
            a = first + second;
        }
        int[] mixed = {a, b, c, d, e, f, g, h};
        for (int i = 0; i < state.length; i++) {
            state[i] += mixed[i];
        }
    }
}
