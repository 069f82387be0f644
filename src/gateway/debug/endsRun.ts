import type { AgentNode } from '#engine/agentFile/agentTypes.ts';
import type { GateLevel } from '#engine/run/gate.ts';
import { isObjectValue } from '#engine/variables/objectValue.ts';

/** True if a failure of this node ends the run, because neither the node nor any surrounding node retries it or handles the error. */
export function doesFailureEndRun({ failure }: AgentNode, retries: number, { around }: GateLevel): boolean {
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
