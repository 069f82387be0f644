import type { CommandHandlers } from '#base/commandIds.ts';
import { meantNode } from './meantNode.ts';
import { NodeRuns, type NodeRunsParts } from './nodeRuns.ts';
import { Pins, type PinsParts } from './pins.ts';
import { toggleBreakpoint } from './toggleBreakpoint.ts';

/** Commands on nodes, of lenses, the inspector and the graph. */
export class NodeCommands {
	readonly handlers: CommandHandlers;

	constructor(parts: NodeRunsParts & PinsParts) {
		const runs = new NodeRuns(parts);
		const pins = new Pins(parts);
		this.handlers = {
			'agentWorkbench.node.run': argument => runs.runOne(argument),
			'agentWorkbench.node.runFrom': argument => runs.runFrom(argument),
			'agentWorkbench.node.pin': argument => pins.pin(argument),
			'agentWorkbench.node.unpin': argument => pins.unpin(argument),
			'agentWorkbench.node.toggleBreakpoint': async argument => toggleBreakpoint(await meantNode(argument, parts.find, parts.fileOf)),
		};
	}
}
