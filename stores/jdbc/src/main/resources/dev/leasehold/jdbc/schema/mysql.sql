-- Leasehold on MySQL. Created on first use. If the application may not create tables, run this script yourself.
-- Times are microseconds since 1970 by the server's clock. A lease row outlives its holder, because the token must.
-- The row with the empty name is no lease: its token is the highest of all forgotten names, and new names start above it.
-- Names are bytes, because collations fold case or ignore trailing blanks. 'took' shows what the latest statement did.
-- The latest 64 transfers of a name are lines of text in its row, newest first.

create table if not exists leasehold_lease (
    name varbinary(200) not null primary key,
    token bigint not null,
    attempt varbinary(64) not null,
    holder varchar(200) character set ascii collate ascii_bin not null,
    reason varchar(20) character set ascii collate ascii_bin not null,
    note varchar(500) character set ascii collate ascii_bin,
    acquired bigint not null,
    deadline bigint not null,
    term bigint not null,
    released boolean not null,
    seen bigint not null,
    progress_at bigint,
    progress_note varchar(500) character set ascii collate ascii_bin,
    checkpoint varchar(4096) character set ascii collate ascii_bin,
    history mediumtext character set ascii collate ascii_bin not null,
    took bigint not null
) engine = InnoDB;

create table if not exists leasehold_register (
    entry varbinary(400) not null primary key,
    version bigint not null,
    content mediumblob not null
) engine = InnoDB;

create table if not exists leasehold_fence (
    resource varbinary(400) not null primary key,
    name varbinary(200) not null,
    store varbinary(64),
    raised bigint not null,
    attempt varbinary(64),
    once bigint,
    digest varbinary(200),
    uses bigint not null
) engine = InnoDB;

create table if not exists leasehold_meta (
    item varbinary(40) not null primary key,
    content varbinary(200) not null
) engine = InnoDB;
