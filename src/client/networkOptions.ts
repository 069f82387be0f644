import type { NetworkSettings } from '#network/networkSettings.ts';

/** How a client connects to its service. */
export interface NetworkOptions extends NetworkSettings {
	readonly timeouts?: Partial<Timeouts>;
}

/** In milliseconds; 0 for no limit. */
export interface Timeouts {
	/** Until the connection is established. */
	readonly connect: number;
	/** Until a normal response starts. */
	readonly reply: number;
	/** Until the response to a request that does work (a blocking run) starts. */
	readonly work: number;
	/** Until a silent stream with pings is aborted; by default three missed pings (contract, "Limits"). */
	readonly idle: number;
	/** Until a silent stream is aborted whose service doesn't promise pings (C, D, E). */
	readonly quiet: number;
}

/** 30 minutes for work, because the longest run of the known services takes 20 (wire facts 1.1, "run limit"). */
export const defaultTimeouts: Timeouts = { connect: 10_000, reply: 60_000, work: 1_800_000, idle: 30_000, quiet: 300_000 };
