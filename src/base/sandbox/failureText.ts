import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core';

/** Maximum length of an error message in characters. */
const maxText = 2_000;

/**
 * Formats a thrown value with its line in `programName`. The thrown objects belong to the program, so everything is checked before it
 * leaves QuickJS.
 */
export function formatFailure(context: QuickJSContext, thrown: QuickJSHandle, programName: string): string {
	if (context.typeof(thrown) !== 'object') {
		return `Error: ${formatShortValue(context, thrown)}`;
	}
	if (context.eq(thrown, context.null)) {
		return 'Error: null';
	}
	const [name, message, stack] = ['name', 'message', 'stack'].map(key => readProperty(context, thrown, key));
	if (name === undefined && message === undefined) {
		return `Error: ${toJson(context, thrown)}`;
	}
	const line = stack && new RegExp(`${programName.replace('.', '\\.')}:(\\d+)`).exec(stack)?.[1];
	return `${name ?? 'Error'}: ${message}${line ? ` (line ${line})` : ''}`;
}

/** Returns `JSON.stringify` of a value, which may run code of the program. Returns `object` if the value has no JSON. */
function toJson(context: QuickJSContext, value: QuickJSHandle): string {
	const text = context.unwrapResult(context.evalCode('value => JSON.stringify(value)', 'error.js')).consume(stringify => {
		const made = context.callFunction(stringify, context.undefined, value);
		if (made.error) {
			made.error.dispose();
			return undefined;
		}
		return made.value.consume(json => (context.typeof(json) === 'string' ? formatShortValue(context, json) : undefined));
	});
	return text ?? 'object';
}

function readProperty(context: QuickJSContext, object: QuickJSHandle, key: string): string | undefined {
	try {
		return context
			.getProp(object, key)
			.consume(value => (context.typeof(value) === 'undefined' ? undefined : formatShortValue(context, value)));
	} catch {
		// the getter threw
		return undefined;
	}
}

/** Formats strings as they are, and other plain values as in code. */
function formatShortValue(context: QuickJSContext, value: QuickJSHandle): string {
	const type = context.typeof(value);
	if (type === 'string') {
		const length = context.getProp(value, 'length').consume(each => context.getNumber(each));
		// a longer string would be copied completely
		return length > maxText ? `(${length} characters, too long to be shown)` : context.getString(value);
	}
	return type === 'object' || type === 'function' || type === 'symbol' ? type : String(context.dump(value));
}
