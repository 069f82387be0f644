import type { AgentNode } from '#engine/agentFile/agentTypes.ts';
import type { GateLevel } from '#engine/run/gate.ts';
import { isObjectValue } from '#engine/variables/objectValue.ts';

/** Whether the run ends by a failure of this node: nothing tries it again or goes on without it, neither of its own nor of what it is inside of. */
export function endsRun({ failure }: AgentNode, retries: number, { around }: GateLevel): boolean {
	if (retries < failure.retries || failure.strategy !== 'none') {
		return false;
	}
	if (!around) {
		return true;
	}
	const { settings } = around.node;
	const goesOn = isObjectValue(settings) && (settings['error_handle_mode'] ?? 'terminated') !== 'terminated';
	return !goesOn && endsRun(around.node, 0, around.level);
}
