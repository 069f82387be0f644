import * as vscode from 'vscode';
import type { CommandHandlers, CommandId } from '#base/commandIds.ts';
import { isCancellation, remedyOf } from '#base/problems.ts';
import { translateError } from './translateError.ts';
import { withoutLinks } from './wording.ts';

/** What a command does; what it returns is handed to whoever executes it. */
type CommandHandler<A extends unknown[]> = (...args: A) => unknown;

/**
 * The one way to register a command: a failure is logged and shown with the action that mends it and "Show Log"; a cancellation is
 * silent. Whoever executes the command by code gets `undefined` for both.
 */
export class CommandRegistrar {
	readonly #log: vscode.LogOutputChannel;

	constructor(log: vscode.LogOutputChannel) {
		this.#log = log;
	}

	register<A extends unknown[]>(id: CommandId, handler: CommandHandler<A>): vscode.Disposable {
		return vscode.commands.registerCommand(id, async (...args: A) => {
			this.#log.debug(`Command ${id}`);
			try {
				return await handler(...args);
			} catch (error) {
				if (isCancellation(error)) {
					this.#log.debug(`Command ${id} was called off`);
					return undefined;
				}
				void this.show(error, id);
				return undefined;
			}
		});
	}

	/** Registers all commands of a feature, which loads what carries them out with the first of them. */
	registerAll(ids: readonly CommandId[], load: () => Promise<{ readonly handlers: CommandHandlers }>): vscode.Disposable {
		const registered = ids.map(id =>
			this.register(id, async (argument?: unknown, selected?: unknown) => (await load()).handlers[id]?.(argument, selected)),
		);
		return vscode.Disposable.from(...registered);
	}

	/** Logs an error and shows its sentence, with its remedy and "Show Log". `where` names what failed, for the log. */
	async show(error: unknown, where: string): Promise<void> {
		this.#log.error(`${where}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
		const remedy = remedyOf(error);
		const showLog = vscode.l10n.t('Show Log');
		const choice = await vscode.window.showErrorMessage(withoutLinks(translateError(error)), ...(remedy ? [remedy.title] : []), showLog);
		if (choice === showLog) {
			this.#log.show(true);
		} else if (remedy && choice === remedy.title) {
			await vscode.commands.executeCommand(remedy.command, ...(remedy.arguments ?? []));
		}
	}
}
