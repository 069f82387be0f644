import type { NetworkSettings } from '#network/networkSettings.ts';

/** How a client reaches its service. */
export interface NetworkOptions extends NetworkSettings {
	readonly timeouts?: Partial<Timeouts>;
}

/** Milliseconds; 0 for none. */
export interface Timeouts {
	/** Until a connection stands. */
	readonly connect: number;
	/** Until a plain answer begins. */
	readonly reply: number;
	/** Until the answer of a request that works (a blocking run) begins. */
	readonly work: number;
	/** Silence in a stream that has pings: three missed ones by default (contract, "Limits"). */
	readonly idle: number;
	/** Silence in a stream whose service promises no pings (C, D, E). */
	readonly quiet: number;
}

/** 30 minutes for work: the longest run of the services known takes 20 (wire facts 1.1, "run limit"). */
export const defaultTimeouts: Timeouts = { connect: 10_000, reply: 60_000, work: 1_800_000, idle: 30_000, quiet: 300_000 };
