package dev.leasehold.spring.tx;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** A row of the table "account". */
@Entity
@Table(name = "account")
class JpaAccount {
    @Id
    private String id;

    @Column(nullable = false)
    private long balance;

    void add(long amount) {
        balance += amount;
    }
}
