package dev.leasehold.aws;

import dev.leasehold.model.Admission;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** A program with a table of its own, which it writes with the client of AWS. */
final class OwnDynamoDbItems implements AutoCloseable {
    private static final String TABLE = "orders";

    /** How an item is written. */
    enum Form {
        /** The item carries the fence. */
        UPDATE,
        /** The same, and the item is replaced. */
        PUT,
        /** One further item carries the fence. */
        TRANSACTION
    }

    private final software.amazon.awssdk.services.dynamodb.DynamoDbClient client;

    private OwnDynamoDbItems(DynamoDbClientBuilder builder, int port) {
        client = builder.endpointOverride(URI.create("http://127.0.0.1:" + port))
                .region(Region.US_EAST_1)
                .credentialsProvider(
                        StaticCredentialsProvider.create(AwsBasicCredentials.create("LOCALIDENTITY", "secret")))
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .build();
    }

    static OwnDynamoDbItems create(int port) {
        OwnDynamoDbItems items =
                new OwnDynamoDbItems(software.amazon.awssdk.services.dynamodb.DynamoDbClient.builder(), port);
        items.client.createTable(request -> request.tableName(TABLE)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(AttributeDefinition.builder()
                        .attributeName("id")
                        .attributeType(ScalarAttributeType.S)
                        .build())
                .keySchema(KeySchemaElement.builder()
                        .attributeName("id")
                        .keyType(KeyType.HASH)
                        .build()));
        return items;
    }

    /** The same program; its requests are made, and wait before they are sent. */
    static OwnDynamoDbItems delayed(int port, CountDownLatch made, CountDownLatch send) {
        ExecutionInterceptor delay = new ExecutionInterceptor() {
            @Override
            public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
                made.countDown();
                try {
                    send.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        };
        return new OwnDynamoDbItems(
                software.amazon.awssdk.services.dynamodb.DynamoDbClient.builder()
                        .overrideConfiguration(settings -> settings.addExecutionInterceptor(delay)),
                port);
    }

    Admission write(Form form, String id, DynamoDbCondition condition, String content) {
        return switch (form) {
            case UPDATE -> update(id, condition, "SET content = :content, ", Map.of(":content", text(content)));
            case PUT -> put(id, condition, content);
            case TRANSACTION -> transaction(id, condition, content);
        };
    }

    Admission raise(Form form, String id, DynamoDbCondition condition) {
        return update(form == Form.TRANSACTION ? id + "-fence" : id, condition, "SET ", Map.of());
    }

    private Admission update(
            String id, DynamoDbCondition condition, String assignments, Map<String, AttributeValue> own) {
        return judged(
                condition,
                () -> client.updateItem(UpdateItemRequest.builder()
                        .tableName(TABLE)
                        .key(Map.of("id", text(id)))
                        .conditionExpression(condition.condition())
                        .updateExpression(assignments + condition.assignments())
                        .expressionAttributeValues(with(own, condition.values()))
                        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                        .build()));
    }

    private Admission put(String id, DynamoDbCondition condition, String content) {
        return judged(
                condition, () -> client.putItem(request(id, condition, content).build()));
    }

    private static PutItemRequest.Builder request(String id, DynamoDbCondition condition, String content) {
        return PutItemRequest.builder()
                .tableName(TABLE)
                .item(with(Map.of("id", text(id), "content", text(content)), condition.attributes()))
                .conditionExpression(condition.condition())
                .expressionAttributeValues(with(Map.of(), condition.values()))
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
    }

    /** Writes an item that has no content yet. Empty if it was written, and otherwise what is said of the grant. */
    Optional<Admission> writeIfNew(String id, DynamoDbCondition condition, String content) {
        PutItemRequest request = request(id, condition, content)
                .conditionExpression("attribute_not_exists(content) AND " + condition.condition())
                .build();
        try {
            client.putItem(request);
            return Optional.empty();
        } catch (ConditionalCheckFailedException e) {
            return Optional.of(condition.judge(name -> text(e.item(), name)));
        }
    }

    private Admission transaction(String id, DynamoDbCondition condition, String content) {
        Update fence = Update.builder()
                .tableName(TABLE)
                .key(Map.of("id", text(id + "-fence")))
                .conditionExpression(condition.condition())
                .updateExpression("SET " + condition.assignments())
                .expressionAttributeValues(with(Map.of(), condition.values()))
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
        List<TransactWriteItem> writes = List.of(
                TransactWriteItem.builder().update(fence).build(),
                own(id, content),
                own(id + "-index", content.length() + " characters"));
        try {
            client.transactWriteItems(request -> request.transactItems(writes));
            return admitted(condition);
        } catch (TransactionCanceledException e) {
            return condition.judge(name -> text(e.cancellationReasons().get(0).item(), name));
        }
    }

    private static TransactWriteItem own(String id, String content) {
        Put put = Put.builder()
                .tableName(TABLE)
                .item(Map.of("id", text(id), "content", text(content)))
                .build();
        return TransactWriteItem.builder().put(put).build();
    }

    private static Admission judged(DynamoDbCondition condition, Runnable write) {
        try {
            write.run();
            return admitted(condition);
        } catch (ConditionalCheckFailedException e) {
            return condition.judge(name -> text(e.item(), name));
        }
    }

    private static Admission admitted(DynamoDbCondition condition) {
        return condition.judge(condition.attributes()::get);
    }

    Optional<String> read(String id) {
        return Optional.ofNullable(text(
                client.getItem(request -> request.tableName(TABLE)
                                .key(Map.of("id", text(id)))
                                .consistentRead(true))
                        .item(),
                "content"));
    }

    private static Map<String, AttributeValue> with(Map<String, AttributeValue> own, Map<String, String> texts) {
        Map<String, AttributeValue> all = new HashMap<>(own);
        texts.forEach((name, value) -> all.put(name, text(value)));
        return all;
    }

    private static AttributeValue text(String value) {
        return AttributeValue.fromS(value);
    }

    private static @Nullable String text(Map<String, AttributeValue> item, String name) {
        AttributeValue value = item.get(name);
        return value == null ? null : value.s();
    }

    @Override
    public void close() {
        client.close();
    }
}
