import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { parseArguments } from '../exactJson.ts';

/**
 * Parses the input of a tool call, which models write as JSON. Empty input becomes an empty object. Throws an error (502) for invalid JSON.
 */
export function parseToolInput(toolName: string, json: string): unknown {
	if (json === '') {
		return {};
	}
	try {
		return parseArguments(json);
	} catch {
		throw new ServiceFault(502, localizable`The model called ${toolName} with input that isn't valid JSON.`);
	}
}
