import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { isTooDeepJson, maxJsonDepth } from '#contract/jsonDepth.ts';

/** Parses a JSON body. Throws `invalid` if it isn't valid JSON, and an error (400) if it's nested too deeply. */
export function parseJson(body: Buffer, invalid: ServiceFault): unknown {
	const text = body.toString('utf8');
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw invalid;
	}
	if (isTooDeepJson(text, value)) {
		throw new ServiceFault(400, localizable`The JSON is nested too deeply. The limit is ${maxJsonDepth} levels.`, invalid.details);
	}
	return value;
}
