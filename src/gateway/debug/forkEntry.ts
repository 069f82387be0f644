import type { PartialRun } from '#contract/partialRun.ts';
import type { AgentNode } from '#engine/agentFile/agentTypes.ts';
import type { GateLevel } from '#engine/run/gate.ts';
import type { Branch } from './branches.ts';
import type { Stop } from './stopReports.ts';

/** True if a node of a fork comes before its first one. Such nodes end as recorded, so the run doesn't stop at them. */
export function isBeforeFork(node: AgentNode, { run, place }: GateLevel): boolean {
	return run.options.replay?.isBeforeStart(node, place) ?? false;
}

/** The stop on entry of a fork: at the node that it starts from, although parallel branches may be ready before. */
export class ForkEntry {
	#node: string | undefined;

	constructor(part: PartialRun | undefined, stopsOnEntry: boolean) {
		this.#node = stopsOnEntry ? part?.node : undefined;
	}

	/** True until the run has reached the node. Branches that are ready before wait for it. */
	get isPending(): boolean {
		return this.#node !== undefined;
	}

	/** Returns the stop on entry if a branch has reached the node. */
	takeStop({ id, node }: Branch): Stop | undefined {
		if (this.#node !== node.id) {
			return undefined;
		}
		this.end();
		return { reason: 'entry', branch: id };
	}

	/** Ends the waiting, because the node is gone or its branch isn't taken anymore. */
	end(): void {
		this.#node = undefined;
	}
}
