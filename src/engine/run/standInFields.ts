import type { AgentNode } from '../agentFile/agentTypes.ts';
import { formatExactPrice } from '../nodes/model/priceText.ts';
import type { RunOptions } from './engineTypes.ts';
import type { Execution, ExecutionPlace } from './execution.ts';

/** Returns the extra event fields of a node that doesn't run, because it is mocked or keeps its recorded result. */
export function describeStandIn({ mocks, replay }: RunOptions, node: AgentNode, place: ExecutionPlace): object | undefined {
	return mocks && Object.hasOwn(mocks, node.id) ? { mocked: true } : replay?.findRecordedNode(node, place) && { recorded: true };
}

/** Returns the extra event fields of a finished node that reused replies or its recorded result, with their price if it's known. */
export function describeReuse({ replay }: RunOptions, { draft, node }: Execution, place: ExecutionPlace): object {
	const saved = draft.replayed ? draft.savedPrice : replay?.findRecordedNode(node, place)?.price;
	return { ...(draft.replayed && { replayed: true }), ...(saved && { saved_price: formatExactPrice(saved) }) };
}
