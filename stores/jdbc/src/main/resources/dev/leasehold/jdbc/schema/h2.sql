-- Leasehold on H2. Created on first use. If the application may not create tables, run this script yourself.
-- Times are microseconds since 1970 by the server's clock. A lease row outlives its holder, because the token must.
-- The row with the empty name is no lease: its token is the highest of all forgotten names, and new names start above it.
-- The latest transfers of a name are lines of text in its row, newest first; 60000 characters hold at least 64.

create table if not exists leasehold_lease (
    name varchar(200) not null primary key,
    token bigint not null,
    attempt varchar(64) not null,
    holder varchar(200) not null,
    reason varchar(20) not null,
    note varchar(500),
    acquired bigint not null,
    deadline bigint not null,
    term bigint not null,
    released boolean not null,
    seen bigint not null,
    progress_at bigint,
    progress_note varchar(500),
    checkpoint varchar(4096),
    history varchar(70000) not null
);

create table if not exists leasehold_register (
    entry varchar(400) not null primary key,
    version bigint not null,
    content varbinary(100000) not null
);

create table if not exists leasehold_fence (
    resource varchar(400) not null primary key,
    name varchar(200) not null,
    store varchar(64),
    raised bigint not null,
    attempt varchar(64),
    once bigint,
    digest varchar(200),
    uses bigint not null
);

create table if not exists leasehold_meta (
    item varchar(40) not null primary key,
    content varchar(200) not null
);
