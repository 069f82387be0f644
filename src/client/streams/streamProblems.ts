import { type LocalizableMessage, localizable } from '#base/text/localizableMessage.ts';
import type { UnreadableEvent } from './eventReader.ts';

/** Describes an event that can't be read; `number` counts from 1, `data` is its shortened text. */
export function describeBadEvent(number: number, data: string, problem: UnreadableEvent['problem'] | undefined): LocalizableMessage {
	switch (problem) {
		case 'json':
			return localizable`Event ${number} of the stream isn't valid JSON: '${data}'`;
		case 'object':
			return localizable`Event ${number} of the stream isn't a JSON object: '${data}'`;
		case 'depth':
			return localizable`Event ${number} of the stream is nested too deeply: '${data}'`;
		default:
			return localizable`Event ${number} of the stream has unexpected content: '${data}'`;
	}
}

/** Describes a stream that ended too early, after `count` events; `ending` names the missing event. */
export function describeTruncation(count: number, lastName: string | undefined, ending: string): LocalizableMessage {
	if (count === 0) {
		return localizable`The stream ended before its first event. Expected ${ending}.`;
	}
	return lastName === undefined
		? localizable`The stream ended too early, after event ${count}. Expected ${ending}.`
		: localizable`The stream ended too early, after event ${count} (${lastName}). Expected ${ending}.`;
}
