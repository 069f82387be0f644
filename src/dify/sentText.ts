import { AgentText } from '#agentFile/agentText.ts';
import { hasSeparators, replaceSeparators } from '#agentFile/lineSeparators.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { applyChanges } from '#agentFile/writing/textChanges.ts';
import { writeEdits } from '#agentFile/writing/writeEdits.ts';
import { getFieldText, getItems, isDeepEqual, toFields } from '#base/records/plainValues.ts';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { Translate } from '#base/text/localization.ts';
import type { AppContent } from './content/appContent.ts';
import { SyncFault } from './syncFault.ts';

/** Placeholder for a secret's value. On import, Dify keeps its value of the variable with the same ID. */
const keptSecret = '[__HIDDEN__]';

/** Effect of an import on a secret environment variable. */
export interface SecretFate {
	readonly name: string;
	/** `keeps`: Dify's value stays; `sends`: the file's value is sent; `empty`: neither has one; `loses`: Dify's value is deleted. */
	readonly fate: 'keeps' | 'sends' | 'empty' | 'loses';
}

/**
 * Returns the text to import for a file, and what happens to its secrets. Empty secrets that Dify has are sent as {@link keptSecret},
 * because an empty string would delete Dify's value. `${env:NAME}` counts as empty. Unicode line separators are escaped, and all other
 * bytes stay the same.
 * @param there the app in Dify; `undefined` for a new app
 * @param keepsEmpty true if Dify itself keeps empty secrets (from 1.18)
 * @throws {SyncFault} if a secret can't be rewritten: then nothing may be sent
 */
export function createSentText(
	text: string,
	here: AppContent,
	there: AppContent | undefined,
	keepsEmpty: boolean,
	t: Translate = fillPlaceholders,
): { readonly text: string; readonly secrets: readonly SecretFate[] } {
	const known = new Set(
		getSecrets(there)
			.map(secret => getFieldText(secret, 'id'))
			.filter(id => id !== ''),
	);
	const secrets: SecretFate[] = [];
	const edits = [];
	const listHere = getItems(here.whole.workflow, 'environment_variables');
	for (const [at, variable] of listHere.entries()) {
		if (getFieldText(variable, 'value_type') !== 'secret') {
			continue;
		}
		const value = getFieldText(variable, 'value');
		const isOpen = value === '' || value === keptSecret || /^\$\{env:\w+\}$/.test(value);
		const isThere = known.has(getFieldText(variable, 'id'));
		secrets.push({ name: getFieldText(variable, 'name'), fate: isOpen ? (isThere ? 'keeps' : 'empty') : 'sends' });
		const wanted = isOpen ? (isThere && !keepsEmpty ? keptSecret : '') : value;
		if (isOpen && wanted !== value) {
			edits.push({ kind: 'set', path: ['workflow', 'environment_variables', at, 'value'], value: wanted } as const);
		}
	}
	const idsHere = new Set(listHere.filter(each => getFieldText(each, 'value_type') === 'secret').map(each => getFieldText(each, 'id')));
	for (const secret of getSecrets(there)) {
		if (!idsHere.has(getFieldText(secret, 'id'))) {
			secrets.push({ name: getFieldText(secret, 'name'), fate: 'loses' });
		}
	}
	return { text: escapeSeparators(edits.length === 0 ? text : applySecretEdits(text, edits, t)), secrets };
}

function getSecrets(app: AppContent | undefined): readonly unknown[] {
	return getItems(toFields(app?.whole.workflow), 'environment_variables').filter(each => getFieldText(each, 'value_type') === 'secret');
}

/** Escapes Unicode line separators, which end a line for Dify but not here. */
function escapeSeparators(text: string): string {
	if (!hasSeparators(text)) {
		return text;
	}
	const { document, content } = new AgentText(text);
	const changed = document ? replaceSeparators(document, text) : text;
	return isDeepEqual(new AgentText(changed).content, content) ? changed : text;
}

function applySecretEdits(text: string, edits: Parameters<typeof writeEdits>[1], t: Translate): string {
	const place = t("Couldn't prepare a secret for sending to Dify. Put the secret's 'value' on a separate line in the file.");
	try {
		const read = new AgentReading(text);
		return applyChanges(text, writeEdits(read, edits, { shared: () => place, size: () => place, place }));
	} catch (error) {
		throw new SyncFault('unreadable', (error as Error).message);
	}
}
