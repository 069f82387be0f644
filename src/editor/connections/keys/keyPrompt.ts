import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import { messageOf, reasonOf } from '#base/problems.ts';
import { groupsOf, type KeyGroup, type ServiceKind } from '#contract/serviceKinds.ts';
import { withoutLinks } from '../../platform/wording.ts';
import { isUnencrypted } from '../baseUrl.ts';
import type { ConnectionEntry } from '../connectionEntries.ts';
import { testGroups, testTimeoutMs } from '../connectionTest.ts';
import { groupLabel, kindFacts } from '../kindFacts.ts';
import { recogniseKind } from '../kindRecognition.ts';
import type { ServiceClients } from '../serviceClients.ts';
import type { KeyPlace, KeyStore, Keys, SetKeys } from './keyStore.ts';

interface TypedKey extends SetKeys {
	readonly key: string;
}

interface WrongKeys {
	readonly message: string;
	readonly sure: boolean;
	readonly other?: ServiceKind;
}

/** Asks for keys by password inputs, checks them against the service, and keeps them. */
export class KeyPrompt {
	readonly #keys: KeyStore;
	readonly #clients: ServiceClients;

	constructor(keys: KeyStore, clients: ServiceClients) {
		this.#keys = keys;
		this.#clients = clients;
	}

	/** Asks for the keys of a connection. Resolves to `undefined` when the user backs out. */
	ask(entry: ConnectionEntry): Promise<SetKeys | undefined> {
		return this.#keys.whileAsked(entry.id, () => this.#ask(entry));
	}

	async #ask(entry: ConnectionEntry): Promise<SetKeys | undefined> {
		const groups = await this.#chooseGroups(entry);
		if (!groups) {
			return undefined;
		}
		const answers: Partial<Record<KeyGroup, string>> = { ...(await this.#keys.get(entry)) };
		let isOfOtherKind = false;
		for (const together of groups) {
			const typed = await this.#askOne(entry, together, groups.length > 1);
			if (!typed) {
				return undefined;
			}
			for (const group of together) {
				answers[group] = typed.key;
			}
			isOfOtherKind ||= typed.isOfOtherKind;
		}
		await this.keep(entry, answers, isOfOtherKind);
		return { isOfOtherKind };
	}

	/** Keeps keys, and says so where they could not go into the keyring. `isOfOtherKind`: the service takes them as another kind, which is offered then. */
	async keep(entry: ConnectionEntry, keys: Keys, isOfOtherKind = false): Promise<void> {
		tellPlace(entry, await this.#keys.set(entry, keys));
		if (isOfOtherKind) {
			// the test offers to change the kind; callers that need the key don't wait for the answer
			void vscode.commands.executeCommand('agentWorkbench.connection.test' satisfies CommandId, entry.id);
		}
	}

	/**
	 * Checks keys against the service. Resolves to what is wrong with them; `sure` if the service itself refused them, `other` if it takes them as another kind of
	 * service.
	 */
	async check(entry: ConnectionEntry, keys: Keys): Promise<WrongKeys | undefined> {
		const client = await this.#clients.create({ baseUrl: entry.baseUrl, kind: entry.kind, keys });
		const signal = AbortSignal.timeout(testTimeoutMs);
		try {
			const results = await testGroups(client, entry, keys, signal);
			const failed = results.find(result => result.kind === 'failed');
			if (!failed) {
				return undefined;
			}
			if (reasonOf(failed.error) !== 'auth') {
				return { sure: false, message: messageOf(failed.error) };
			}
			const isAccepted = results.some(({ kind }) => kind === 'accepted');
			const other = isAccepted ? undefined : await recogniseKind(this.#clients, entry, keys, signal);
			return other
				? { sure: false, other, message: otherKindText(entry, other) }
				: { sure: true, message: vscode.l10n.t('“{0}” refused this key.', entry.name) };
		} finally {
			void client.close();
		}
	}

	/** Groups that get a key together: all with one, or one each. */
	async #chooseGroups(entry: ConnectionEntry): Promise<KeyGroup[][] | undefined> {
		const all = [...groupsOf(entry.kind)];
		if (all.length < 2) {
			return [all];
		}
		const together = { label: vscode.l10n.t('The same key for all'), description: all.map(groupLabel).join(', '), groups: [all] };
		const each = { label: vscode.l10n.t('One key each'), description: '', groups: all.map(group => [group]) };
		const single = all.map(group => ({ label: vscode.l10n.t('Only: {0}', groupLabel(group)), description: '', groups: [[group]] }));
		const choice = await vscode.window.showQuickPick([together, each, ...single], {
			title: vscode.l10n.t('Keys of “{0}”', entry.name),
			placeHolder: vscode.l10n.t('What the key is for'),
		});
		return choice?.groups;
	}

	#askOne(entry: ConnectionEntry, groups: readonly KeyGroup[], named: boolean): Promise<TypedKey | undefined> {
		const input = vscode.window.createInputBox();
		input.title = named
			? vscode.l10n.t('Key of “{0}”: {1}', entry.name, groups.map(groupLabel).join(', '))
			: vscode.l10n.t('Key of “{0}”', entry.name);
		input.prompt = withoutLinks(
			isUnencrypted(entry.baseUrl)
				? vscode.l10n.t('Sent to {0} without encryption. Kept in the system’s keyring.', entry.baseUrl)
				: vscode.l10n.t('Sent to {0} alone. Kept in the system’s keyring.', entry.baseUrl),
		);
		input.password = true;
		input.ignoreFocusOut = true;
		const { promise, resolve } = Promise.withResolvers<TypedKey | undefined>();
		let unchecked: TypedKey | undefined;
		input.onDidChangeValue(() => {
			input.validationMessage = undefined;
		});
		input.onDidAccept(async () => {
			const key = input.value.trim();
			if (key === '' || input.busy) {
				return;
			}
			if (key === unchecked?.key) {
				resolve(unchecked);
				return;
			}
			input.busy = true;
			const wrong = await this.check(entry, Object.fromEntries(groups.map(group => [group, key])))
				// a client that cannot even be made says nothing about the key
				.catch((error: unknown): WrongKeys => ({ message: messageOf(error), sure: false }))
				.finally(() => {
					input.busy = false;
				});
			if (!wrong) {
				resolve({ key, isOfOtherKind: false });
				return;
			}
			unchecked = wrong.sure ? undefined : { key, isOfOtherKind: wrong.other !== undefined };
			input.validationMessage = {
				severity: wrong.sure ? vscode.InputBoxValidationSeverity.Error : vscode.InputBoxValidationSeverity.Warning,
				message: withoutLinks(
					wrong.sure || wrong.other ? wrong.message : vscode.l10n.t('{0} Press Enter again to keep the key unchecked.', wrong.message),
				),
			};
		});
		input.onDidHide(() => resolve(undefined));
		input.show();
		return promise.finally(() => input.dispose());
	}
}

function otherKindText({ name, kind }: ConnectionEntry, other: ServiceKind): string {
	const kinds = kindFacts();
	return vscode.l10n.t(
		"'{0}' is set up as '{1}', but accepts this key as '{2}'. Press Enter again to save the key. You can then change the kind.",
		name,
		kinds[kind].label,
		kinds[other].label,
	);
}

function tellPlace(entry: ConnectionEntry, place: KeyPlace): void {
	if (place.kind === 'session') {
		const sentence = vscode.l10n.t(
			'The system’s keyring did not take the key of “{0}” ({1}). It is kept until this window closes.',
			entry.name,
			place.cause,
		);
		void vscode.window.showWarningMessage(withoutLinks(sentence));
	}
}
