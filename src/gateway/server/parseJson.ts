import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { isTooDeep, maxJsonDepth } from '#contract/jsonDepth.ts';

/** A body's JSON. Throws a fault (400) with the sentence `invalid` for what is none, or one that says that it is nested too deeply. */
export function parseJson(body: Buffer, invalid: ServiceFault): unknown {
	const text = body.toString('utf8');
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw invalid;
	}
	if (isTooDeep(text, value)) {
		throw new ServiceFault(400, `The JSON is nested too deeply: at most ${maxJsonDepth} levels are taken.`, invalid.details);
	}
	return value;
}
