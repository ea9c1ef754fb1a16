package dev.leasehold.aws;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The published examples of AWS for signatures of S3. */
class AwsSignerTest {
    private static final Map<String, String> EXAMPLE = Map.of(
            "AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE",
            "AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY");

    private final AwsSigner signer = new AwsSigner(AwsCredentials.find(EXAMPLE, null), "us-east-1", "s3");

    @Test
    void objectWithARange() {
        signer.learn(Instant.parse("2013-05-24T00:00:00Z"));
        Map<String, String> header = signer.sign(
                "GET", "examplebucket.s3.amazonaws.com", "/test.txt", "", Map.of("range", "bytes=0-9"), new byte[0]);
        assertThat(header.get("authorization"))
                .isEqualTo("AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
                        + " SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
                        + " Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
    }

    @Test
    void listOfObjects() {
        signer.learn(Instant.parse("2013-05-24T00:00:00Z"));
        Map<String, String> header =
                signer.sign("GET", "examplebucket.s3.amazonaws.com", "/", "max-keys=2&prefix=J", Map.of(), new byte[0]);
        assertThat(header.get("authorization"))
                .endsWith("Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
    }
}
