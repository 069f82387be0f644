import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { parseArguments } from '../exactJson.ts';

/** Input of a tool call, which models write as JSON text; none at all is an empty object. Throws a fault (502) for what is no JSON. */
export function toolInput(toolName: string, json: string): unknown {
	if (json === '') {
		return {};
	}
	try {
		return parseArguments(json);
	} catch {
		throw new ServiceFault(502, `The model called ${toolName} with an input that is no JSON.`);
	}
}
