import type { FailureStop } from '#contract/debugging.ts';
import type { AgentNode } from '#engine/agentFile/agentTypes.ts';
import type { Execution } from '#engine/run/execution.ts';
import type { GateLevel } from '#engine/run/gate.ts';
import { isObjectValue } from '#engine/variables/objectValue.ts';

/** Decides which failures stop a run. */
export class FailureStops {
	/** Failures to stop at. */
	wanted: ReadonlySet<FailureStop> = new Set();
	/** True if the run stops at a failure that ends it, whatever is wanted, because it only shows a recorded run. */
	isEndShown = false;
	/** Errors that stopped or would end the run, so that an error caused by one of them doesn't stop the run again. */
	readonly #known = new WeakSet<object>();

	/** Judges a failed attempt. Returns whether the run stops, and whether the failure would end the run. */
	judgeFailure({ node, retries }: Execution, error: Error, level: GateLevel): { readonly stops: boolean; readonly endsRun: boolean } {
		const { cause } = error;
		const isConsequence = typeof cause === 'object' && cause !== null && this.#known.has(cause);
		const endsRun = doesFailureEndRun(node, retries, level) && !isConsequence;
		const stops = this.isStop(endsRun);
		if (stops || endsRun) {
			this.#known.add(error);
		}
		return { stops, endsRun };
	}

	/** True if the run stops at a failure. */
	isStop(endsRun: boolean): boolean {
		return this.wanted.has('node') || ((this.isEndShown || this.wanted.has('run')) && endsRun);
	}
}

/** True if a failure of this node ends the run, because neither the node nor any surrounding node retries it or handles the error. */
function doesFailureEndRun({ failure }: AgentNode, retries: number, { around }: GateLevel): boolean {
	if (retries < failure.retries || failure.strategy !== 'none') {
		return false;
	}
	if (!around) {
		return true;
	}
	const { settings } = around.node;
	const goesOn = isObjectValue(settings) && (settings['error_handle_mode'] ?? 'terminated') !== 'terminated';
	return !goesOn && doesFailureEndRun(around.node, 0, around.level);
}
