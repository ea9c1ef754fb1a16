package dev.leasehold.aws;

import dev.leasehold.model.StoreUnavailableException;

/** Translates refusals of S3 into what they mean and what to do. */
final class S3Failures {
    private S3Failures() {}

    /**
     * @param code the code of the error; empty if there is none
     * @param what the operation, as in "may not …"
     */
    static StoreUnavailableException of(AwsService service, AwsAddress address, int status, String code, String what) {
        String bucket = "bucket '" + address.place() + "'";
        return switch (code) {
            case "NoSuchBucket" ->
                service.unavailable("has no " + bucket
                        + "; nothing was changed. Correct the URL, or create the bucket first: Leasehold creates none");
            case "InvalidBucketName" ->
                service.unavailable("does not accept '" + address.place() + "' as the name of a bucket");
            case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidSecurity" ->
                service.unavailable("rejects the credentials (" + code
                        + "); nothing was changed. Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the profile");
            case "ExpiredToken", "InvalidToken" ->
                service.unavailable("says that the session of these credentials is over (" + code
                        + "); nothing was changed. Sign in again");
            case "RequestTimeTooSkewed" ->
                service.unavailable("refuses the time of the signature; nothing was changed. Set this machine's clock");
            case "PermanentRedirect",
                    "TemporaryRedirect",
                    "AuthorizationHeaderMalformed",
                    "IllegalLocationConstraint" ->
                service.unavailable("does not have " + bucket + " in region " + address.region()
                        + "; nothing was changed. Add ?region=... with the region of the bucket");
            case "NotImplemented" ->
                service.unavailable("cannot create objects on the condition that they do not exist (If-None-Match: *),"
                        + " so it cannot keep leases; nothing was changed");
            case "AccessDenied", "AllAccessDisabled" -> denied(service, bucket, what);
            default ->
                status == 403
                        ? denied(service, bucket, what)
                        : service.unavailable(
                                "answered with status " + status + (code.isEmpty() ? "" : " (" + code + ")")
                                        + " to a request to " + what
                                        + (status >= 500 ? "; it is unknown whether the operation took effect" : ""));
        };
    }

    private static StoreUnavailableException denied(AwsService service, String bucket, String what) {
        return service.unavailable("does not permit these credentials to " + what + " in " + bucket
                + "; nothing was changed. They need s3:ListBucket on the bucket, and s3:GetObject, s3:PutObject and"
                + " s3:DeleteObject on its objects");
    }
}
