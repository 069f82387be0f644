import { AgentText } from '#agentFile/agentText.ts';
import { hasSeparators, replaceSeparators } from '#agentFile/lineSeparators.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { applyChanges } from '#agentFile/writing/textChanges.ts';
import { writeEdits } from '#agentFile/writing/writeEdits.ts';
import { fieldsOf, isSame, itemsOf, textOf } from '#base/records/plainValues.ts';
import type { Translate } from '#base/text/localization.ts';
import { plainWords } from '#base/text/plainWords.ts';
import type { AppContent } from './content/appContent.ts';
import { SyncFault } from './syncFault.ts';

/** In the place of a secret's value: the deployment keeps the one that it has under the same ID. */
const keptSecret = '[__HIDDEN__]';

/** What becomes of a secret environment variable when a file is imported. */
export interface SecretFate {
	readonly name: string;
	/** `keeps`: the value there stays; `sends`: the file's own value is sent; `empty`: it has none; `loses`: the one there goes. */
	readonly fate: 'keeps' | 'sends' | 'empty' | 'loses';
}

/**
 * The text to import for a file, and what becomes of the secrets. Empty secrets whose ID the deployment has are sent as {@link keptSecret}, because an
 * empty text would wipe the value there; a secret that the file takes from the environment of this machine (`${env:NAME}`) counts as empty. Line separators
 * of Unicode are escaped. All else keeps its bytes.
 * @param there what the deployment has; `undefined` for a new app
 * @param keepsEmpty whether the deployment itself keeps a secret that comes empty (from 1.18)
 * @throws {SyncFault} where a secret stands where it cannot be written: nothing may be sent then
 */
export function sentText(
	text: string,
	here: AppContent,
	there: AppContent | undefined,
	keepsEmpty: boolean,
	t: Translate = plainWords,
): { readonly text: string; readonly secrets: readonly SecretFate[] } {
	const known = new Set(
		secretsOf(there)
			.map(secret => textOf(secret, 'id'))
			.filter(id => id !== ''),
	);
	const secrets: SecretFate[] = [];
	const edits = [];
	const listHere = itemsOf(here.whole.workflow, 'environment_variables');
	for (const [at, variable] of listHere.entries()) {
		if (textOf(variable, 'value_type') !== 'secret') {
			continue;
		}
		const value = textOf(variable, 'value');
		const isOpen = value === '' || value === keptSecret || /^\$\{env:\w+\}$/.test(value);
		const isThere = known.has(textOf(variable, 'id'));
		secrets.push({ name: textOf(variable, 'name'), fate: isOpen ? (isThere ? 'keeps' : 'empty') : 'sends' });
		const wanted = isOpen ? (isThere && !keepsEmpty ? keptSecret : '') : value;
		if (isOpen && wanted !== value) {
			edits.push({ kind: 'set', path: ['workflow', 'environment_variables', at, 'value'], value: wanted } as const);
		}
	}
	const idsHere = new Set(listHere.filter(each => textOf(each, 'value_type') === 'secret').map(each => textOf(each, 'id')));
	for (const secret of secretsOf(there)) {
		if (!idsHere.has(textOf(secret, 'id'))) {
			secrets.push({ name: textOf(secret, 'name'), fate: 'loses' });
		}
	}
	return { text: readableThere(edits.length === 0 ? text : written(text, edits, t)), secrets };
}

function secretsOf(app: AppContent | undefined): readonly unknown[] {
	return itemsOf(fieldsOf(app?.whole.workflow), 'environment_variables').filter(each => textOf(each, 'value_type') === 'secret');
}

/** Without line separators of Unicode, which end a line for the deployment and none here. */
function readableThere(text: string): string {
	if (!hasSeparators(text)) {
		return text;
	}
	const { document, content } = new AgentText(text);
	const changed = document ? replaceSeparators(document, text) : text;
	return isSame(new AgentText(changed).content, content) ? changed : text;
}

function written(text: string, edits: Parameters<typeof writeEdits>[1], t: Translate): string {
	const place = t('A secret of the file is written in a way that cannot be changed for sending: write its “value” on a line of its own.');
	try {
		const read = new AgentReading(text);
		return applyChanges(text, writeEdits(read, edits, { shared: () => place, size: () => place, place }));
	} catch (error) {
		throw new SyncFault('unreadable', (error as Error).message);
	}
}
