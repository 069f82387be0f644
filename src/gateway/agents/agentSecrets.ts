import type { LocalizableMessage } from '#base/text/localizableMessage.ts';
import { localizable } from '#base/text/localizableMessage.ts';
import { createWildcardMatcher } from '#base/text/wildcard.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { createMissingSecret } from '#contract/recordings/scanRecording.ts';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import type { Log } from '../process/log.ts';

/** Sources of values for secrets that agent files don't contain. */
interface AgentSecretsParts {
	/** Values of the configuration, by agent name and variable. */
	readonly configured: ReadonlyMap<string, Readonly<Record<string, string>>>;
	/** Environment variables that agent files may use; `*` matches any characters. */
	readonly allowed: readonly string[];
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly log: Pick<Log, 'addSecret'>;
}

/**
 * Values of secret environment variables that agent files don't contain: empty ones, and `${env:NAME}`. Values from a client only apply to
 * the file that it names, and are kept until the process ends. All values are masked like the agent's other secrets.
 */
export class AgentSecrets {
	readonly #parts: AgentSecretsParts;
	readonly #allowed: readonly ((name: string) => boolean)[];
	/** Values from clients, by file. */
	readonly #given = new Map<string, Readonly<Record<string, string>>>();

	constructor(parts: AgentSecretsParts) {
		this.#parts = parts;
		this.#allowed = parts.allowed.map(createWildcardMatcher);
		for (const values of parts.configured.values()) {
			this.#maskInLog(values);
		}
	}

	/** Sets the values for an agent file, replacing previous ones. */
	set(file: string, values: Readonly<Record<string, string>>): void {
		this.#maskInLog(values);
		this.#given.set(file, values);
	}

	/**
	 * Returns the agent with its secrets filled in. `file` is its current file, if any. Throws an error (400, {@link MissingSecret}) for an
	 * environment variable that doesn't exist or may not be read. `isReplay`: a recording needs no secrets, so missing ones get a value.
	 */
	fillSecrets(name: string, file: string | undefined, agent: LoadedAgent, isReplay = false): LoadedAgent {
		const given = { ...(file !== undefined && this.#given.get(file)), ...this.#parts.configured.get(name) };
		const filled: Record<string, string> = {};
		for (const variable of agent.secretNames) {
			const written = agent.environment[variable];
			const named = typeof written === 'string' ? /^\$\{env:(\w+)\}$/.exec(written)?.[1] : undefined;
			if (written !== '' && named === undefined) {
				continue;
			}
			if (Object.hasOwn(given, variable)) {
				filled[variable] = given[variable] ?? '';
			} else if (named !== undefined) {
				filled[variable] = this.#readEnvironment(variable, named, isReplay);
			} else if (isReplay) {
				filled[variable] = createMissingSecret(variable);
			}
		}
		if (Object.keys(filled).length === 0) {
			return agent;
		}
		const environment = { ...agent.environment, ...filled };
		const secrets = agent.secretNames.map(variable => environment[variable]).filter(value => typeof value === 'string');
		return { ...agent, environment, secrets };
	}

	#readEnvironment(variable: string, named: string, isReplay: boolean): string {
		const isAllowed = this.#allowed.some(allows => allows(named));
		const value = isAllowed ? this.#parts.environment[named] : undefined;
		if (isReplay && !value) {
			return createMissingSecret(variable);
		}
		if (!isAllowed) {
			throw new MissingSecret(
				localizable`The secret '${variable}' uses the environment variable '${named}', which agents aren't allowed to read. Add it to 'engine.environment' in the gateway's configuration.`,
			);
		}
		if (!value) {
			throw new MissingSecret(
				localizable`The secret '${variable}' uses the environment variable '${named}', which isn't set. Start the gateway with this variable.`,
			);
		}
		this.#maskInLog({ [variable]: value });
		return value;
	}

	#maskInLog(values: Readonly<Record<string, string>>): void {
		for (const value of Object.values(values)) {
			this.#parts.log.addSecret(value);
		}
	}
}

/** An agent needs a secret that has no value. */
export class MissingSecret extends ServiceFault {
	constructor(message: LocalizableMessage) {
		super(400, message, { code: 'app_unavailable' });
	}
}

/** Returns the names of secrets that have a value. */
export function getHeldSecrets({ secretNames, environment }: Pick<LoadedAgent, 'secretNames' | 'environment'>): readonly string[] {
	return secretNames.filter(name => environment[name] !== '');
}
