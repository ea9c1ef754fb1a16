package dev.leasehold.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.aws.AwsAddress.Service;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** URLs, the region and the credentials. */
class AwsAddressTest {
    private static final Map<String, String> NOTHING =
            Map.of("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent", "AWS_CONFIG_FILE", "/nonexistent");

    @Test
    void allPartsOfAUrlAreRead() {
        AwsAddress address = AwsAddress.parse(
                Service.S3,
                "s3://bucket.name//team/leases/?region=eu-central-1&endpoint=https%3A%2F%2Fs3.example.org%3A9000/&timeout=2s",
                NOTHING);
        assertThat(address.place()).isEqualTo("bucket.name");
        assertThat(address.path()).isEqualTo("team/leases");
        assertThat(address.endpoint()).isEqualTo(URI.create("https://s3.example.org:9000"));
        assertThat(address.region()).isEqualTo("eu-central-1");
        assertThat(address.timeout()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void theEnvironmentNamesRegionAndEndpoint() {
        AwsAddress address = AwsAddress.parse(
                Service.S3, "s3://bucket", Map.of("AWS_REGION", "eu-west-1", "AWS_CONFIG_FILE", "/nonexistent"));
        assertThat(address.endpoint()).isEqualTo(URI.create("https://s3.eu-west-1.amazonaws.com"));
        address = AwsAddress.parse(
                Service.DYNAMODB,
                "dynamodb://table",
                Map.of("AWS_ENDPOINT_URL", "http://127.0.0.1:8000", "AWS_CONFIG_FILE", "/nonexistent"));
        assertThat(address.endpoint()).isEqualTo(URI.create("http://127.0.0.1:8000"));
        assertThat(address.region()).isEqualTo("us-east-1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3://",
                "s3://ab?region=a",
                "s3:bucket",
                "s3://bucket",
                "s3://buc ket?region=a",
                "s3://bucket/pre%20fix?region=a",
                "s3://bucket?region=a&secret=hunter2",
                "s3://bucket?region=",
                "s3://bucket?region=a&endpoint=ftp://host",
                "s3://bucket?region=a&endpoint=https://user:hunter2@host",
                "s3://bucket?region=a&timeout=1h"
            })
    void mistakesGetTheCorrectFormAndNoSecret(String url) {
        assertThatThrownBy(() -> AwsAddress.parse(Service.S3, url, NOTHING))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Write s3://bucket/prefix")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void credentialsComeFromTheEnvironmentOrFromAProfile(@TempDir Path directory) throws IOException {
        Path file = Files.write(
                directory.resolve("credentials"),
                List.of(
                        "[default]",
                        "aws_access_key_id = of-default",
                        "aws_secret_access_key = one",
                        "# a comment = with an equals sign",
                        "[ci]",
                        "aws_access_key_id=of-ci",
                        "aws_secret_access_key=t/w+o=",
                        "aws_session_token=three"));
        Map<String, String> files = Map.of("AWS_SHARED_CREDENTIALS_FILE", file.toString());
        assertThat(AwsCredentials.find(files, null).id()).isEqualTo("of-default");
        AwsCredentials ci = AwsCredentials.find(files, "ci");
        assertThat(ci.id()).isEqualTo("of-ci");
        assertThat(ci.secret()).isEqualTo("t/w+o=");
        assertThat(ci.session()).isEqualTo("three");
        assertThat(ci.toString()).doesNotContain("t/w+o=", "three");
        Map<String, String> variables = Map.of("AWS_ACCESS_KEY_ID", "of-env", "AWS_SECRET_ACCESS_KEY", "four");
        assertThat(AwsCredentials.find(variables, null).id()).isEqualTo("of-env");
        assertThatThrownBy(() -> AwsCredentials.find(files, "missing"))
                .hasMessageContainingAll("AWS_ACCESS_KEY_ID", "'missing'");
    }

    /** A line break would end the header in which the key is sent. */
    @Test
    void brokenCredentialsAreRefusedWithoutShowingThem() {
        Map<String, String> broken =
                Map.of("AWS_ACCESS_KEY_ID", "id", "AWS_SECRET_ACCESS_KEY", "hunter2\r\nX-Header: 1");
        assertThatThrownBy(() -> AwsCredentials.find(broken, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("hunter2");
    }
}
