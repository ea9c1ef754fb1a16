package dev.leasehold.spring.tx;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Something that becomes true together with a transaction, such as the completion of a key. */
public interface TransactionStep {
    /** Whether the transactions of this data source can contain the step. */
    boolean accepts(DataSource source);

    /**
     * Takes the step on the connection of the transaction. It neither commits nor rolls back.
     *
     * @throws SQLException if the database failed; the transaction rolls back
     * @throws RuntimeException if the step is refused; the transaction rolls back
     */
    void take(Connection connection) throws SQLException;

    /** The transaction has ended. */
    void ended(boolean committed);
}
