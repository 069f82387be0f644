import type { AgentSummary } from '../../protocol/agents.ts';
import type { Translate } from '../../textChecks/textFaults.ts';
import type { ReadSuite } from '../suite.ts';

/** What a suite is checked against. */
export interface SuiteContext {
	/** Name of the connection, for messages. */
	readonly connection: string;
	/** Its agents; `undefined` where they are not known: then nothing is checked against them. */
	readonly agents: readonly AgentSummary[] | undefined;
	/** Whether it runs agents itself and takes `mocks`; `undefined`: not known yet. */
	readonly takesMocks?: boolean;
	/** Folder that no path of a suite leads out of: the workspace folder, or that of the command line. */
	readonly root: string;
	readonly t: Translate;
}

/**
 * Reads a suite file, the run files that it names and the head of its dataset. `file` is its absolute path; the text may be newer than what is on
 * the disk. Never rejects: what cannot be read is a fault.
 */
export async function readSuite(text: string, file: string, context: SuiteContext): Promise<ReadSuite> {
	throw new Error(`not written yet: ${text.length} ${file} ${context.connection}`);
}
