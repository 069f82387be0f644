import type { Node } from 'jsonc-parser';
import type { TextFault } from '#base/text/textFaults.ts';
import type { Mocks } from '#contract/mocks.ts';
import type { RecordingSettings } from '#contract/recordings/recordings.ts';
import type { AttackTemplate } from './attacks/attackPacks.ts';

/** A problem in a suite, one of its run files or a dataset row. A problem with severity `error` prevents the suite or row from running. */
export interface SuiteFault extends TextFault {
	/** Absolute path of the file that the position refers to. */
	readonly file: string;
	/** Line and column from 1; columns in UTF-16 code units. */
	readonly line: number;
	readonly column: number;
}

/** A position in a file; `offset` and `length` in UTF-16 code units, line and column from 1. */
export interface SuitePlace {
	readonly file: string;
	readonly offset: number;
	readonly length: number;
	readonly line: number;
	readonly column: number;
}

/** Target of a suite: an agent, or a request to a text generation endpoint. */
export type SuiteTarget =
	| { readonly kind: 'agent'; readonly model: string }
	| { readonly kind: 'chat'; readonly endpoint: ChatEndpoint; readonly model: string; readonly body: Readonly<Record<string, unknown>> };

/** Text generation endpoints that suites can call: C1, D1 and E1 of the contract. */
export type ChatEndpoint = 'messages' | 'completions' | 'content';

/** A check of the suite file; see `checkSchema` for its fields. Strings in a dataset's checks can contain `{{column}}`. */
export interface SuiteCheck {
	readonly fields: CheckFields;
	readonly kind: CheckKind;
	readonly place: SuitePlace;
}

/** The field that determines a check; a check has exactly one. */
export type CheckKind =
	| 'equals'
	| 'oneOf'
	| 'contains'
	| 'containsAll'
	| 'startsWith'
	| 'endsWith'
	| 'matches'
	| 'schema'
	| 'closeTo'
	| 'similar'
	| 'rag'
	| 'status'
	| 'error'
	| 'seconds'
	| 'tokens'
	| 'cost'
	| 'steps'
	| 'nodes'
	| 'tools'
	| 'trajectory'
	| 'snapshot'
	| 'expression'
	| 'judge'
	| 'attack';

/** An attack on a case. Its strings are created from the ID, so that reports of the same suite are the same. */
export interface SuiteAttack extends Pick<AttackTemplate, 'pack' | 'name' | 'owasp' | 'into' | 'detector'> {
	/** ID that the canaries are made from. */
	readonly id: string;
	readonly text: string;
	readonly repeat: number;
	/** IDs of the nodes to attack; `undefined` for all. */
	readonly nodes: readonly string[] | undefined;
	/** Tools that no attack may make the agent call. */
	readonly tools: readonly string[];
	/** Texts that no attack may make the agent reveal. */
	readonly canaries: readonly string[];
	readonly limits: AttackLimits;
	/** A model that writes the messages, with `text` as its goal. */
	readonly attacker?: SuiteAttacker;
}

/** A model that attacks an agent with several messages. */
export interface SuiteAttacker {
	/** Default: the model of judges. */
	readonly model?: string;
	readonly limits: SimulationLimits;
}

/** What a run may use when it's attacked. */
export interface AttackLimits {
	readonly steps: number;
	readonly tokens: number;
	readonly seconds: number;
}

/** A judge: a model that grades values by a rubric. */
export interface SuiteJudge {
	/** Its name in `judges` of the suite. */
	readonly name?: string;
	readonly rubric: string;
	/** Default: a model of the connection. */
	readonly model?: string;
	/** Minimum score to pass. */
	readonly atLeast?: number;
	/** Number of grades, of which the median counts. Default: 1. */
	readonly votes?: number;
	/** Fields of the request to its model, such as `temperature`. */
	readonly parameters?: Readonly<Record<string, unknown>>;
	/** Number of labeled outputs that it sees as examples. */
	readonly examples?: number;
	/** Minimum agreement with people in the held-out half of the labels, as Cohen's kappa. */
	readonly min_kappa?: number;
}

/** Fields of a check as JSON. */
export type CheckFields = Readonly<Record<string, unknown>>;

/** Answers to the forms of human input nodes, by node ID. */
export type FormAnswersByNode = Readonly<Record<string, { readonly action: string; readonly inputs?: Readonly<Record<string, string>> }>>;

/** A message of a conversation, with the checks of its reply. */
export interface SuiteTurn {
	readonly place: SuitePlace;
	readonly request: Node;
	readonly checks: readonly SuiteCheck[];
	/** Those of the case, and its own. */
	readonly forms: FormAnswersByNode;
}

/** When a simulated conversation ends, apart from its own ends. It may exceed them by its last turn, except for the turns. */
export interface SimulationLimits {
	readonly turns: number;
	/** Cost of the agent, in the currency of the service. */
	readonly cost?: number;
	/** Tokens of the agent and of the simulated user. */
	readonly tokens?: number;
	readonly seconds?: number;
}

/** A simulated user of a chat agent: a model with a goal, or replies by what the agent says. */
export interface SuiteSimulation {
	readonly persona?: string;
	readonly goal?: string;
	/** Default: the model of judges. */
	readonly model?: string;
	/** The first one whose `when` is in the last message of the agent is said. Without one that fits, the user gives up. */
	readonly replies?: readonly SimulatedReply[];
	readonly limits: SimulationLimits;
	/** Each of these ends the conversation when it passes. */
	readonly stop: readonly SuiteCheck[];
}

export interface SimulatedReply {
	/** Text to find, ignoring case. Default: fits always. */
	readonly when?: string;
	readonly say: string;
}

/** A case from the suite or from one of its run files. */
export interface SuiteCase {
	/** Number from 0: cases in the order of the file, then the rows of the dataset. Stable for the same fingerprint. */
	readonly ordinal: number;
	readonly name: string;
	/** Position in the suite, or the start of the run file. */
	readonly place: SuitePlace;
	/** Absolute path of its run file. */
	readonly runFile?: string;
	readonly target: SuiteTarget;
	readonly user: string | undefined;
	/** The request as an object node, with defaults. File references and placeholders are resolved when it runs. */
	readonly request: Node;
	readonly mocks: Mocks;
	readonly checks: readonly SuiteCheck[];
	/** Messages of a conversation. The request is that of the first one. */
	readonly turns?: readonly SuiteTurn[];
	/** What happens after a turn whose checks fail. */
	readonly onTurnFailure?: 'stop' | 'continue';
	/** A user who writes the messages of the conversation. The request has the first one, unless a model writes it. */
	readonly simulation?: SuiteSimulation;
	readonly forms?: FormAnswersByNode;
	/** The attack that this case is for. Its name and place are those of the attacked case. */
	readonly attack?: SuiteAttack;
}

/** The file of a dataset. */
export interface DatasetFile {
	/** Absolute path from the suite. Resolved on each use, because it may have been replaced by a link. */
	readonly file: string;
	/** Folder that must contain the file after links are resolved. */
	readonly root: string;
	readonly format: DatasetFormat;
}

/** A dataset whose rows become cases: its file, and templates for each row. */
export interface SuiteDataset extends DatasetFile {
	/** Template of row names. */
	readonly name: string;
	/** Templates of inputs; `undefined` to use all columns except `expect:NAME`. */
	readonly inputs: Readonly<Record<string, unknown>> | undefined;
	/** Template of the message to a chat agent. */
	readonly query: string | undefined;
	/** Defaults of the suite as an object node, in addition to the row's inputs. */
	readonly defaults: Node;
	readonly mocks: Readonly<Record<string, unknown>>;
	readonly checks: readonly SuiteCheck[];
	readonly place: SuitePlace;
}

/** A model that a variant uses: its name, or a provider and name. */
type ModelChoice = string | { readonly provider?: string; readonly name: string };

/** A variant of the suite's agent or request. Entries are by node ID, or `*` for all nodes that call a model. */
export interface SuiteVariant {
	readonly name: string;
	/** Text that the variant starts from: `current`, `published`, `git:REVISION`, or a path relative to the suite. */
	readonly agent: string;
	readonly models: Readonly<Record<string, ModelChoice>>;
	/** Parameters of models by name; null removes one. */
	readonly parameters: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
	/** Prompts by `NODE.ROLE`. */
	readonly prompts: Readonly<Record<string, string | { readonly $file: string }>>;
}

/** Variants that are compared with each other. */
export interface SuiteMatrix {
	readonly variants: readonly SuiteVariant[];
	/** Target of all cases of the suite. */
	readonly target: SuiteTarget;
	/** Name of the variant that the others are compared with. */
	readonly baseline: string;
}

/** What the cases of a batch may use before no further case starts. */
export interface BatchLimits {
	readonly cost?: number;
	/** Tokens of agents, judges and simulated users. */
	readonly tokens?: number;
	readonly seconds?: number;
}

/** Conditions that the results of a suite must meet for a change to be accepted, with the names of the file's fields. */
export interface SuiteGate {
	readonly pass_rate?: number;
	/** Names of cases that must pass. */
	readonly required?: readonly string[];
	/** `strict`: no case that passed before fails. `significant`: the loss isn't shown (one-sided test). */
	readonly not_worse?: 'strict' | 'significant';
	/** Accepted increase of the cost per case, as a share. */
	readonly cost?: { readonly increase: number };
	/** Accepted number of cases that couldn't run. */
	readonly not_run?: number;
}

export type DatasetFormat = 'csv' | 'tsv' | 'jsonl' | 'json';

/** A suite that was read and checked. */
export interface Suite {
	/** Absolute path of the suite file. */
	readonly file: string;
	/** Folder that all paths of the suite must stay in. */
	readonly root: string;
	/** File name without `.suite.json`. */
	readonly name: string;
	/**
	 * Hash that changes with the text of the suite, its run files and its dataset. Only results with the same fingerprint can be resumed.
	 */
	readonly fingerprint: string;
	readonly target: SuiteTarget | undefined;
	readonly user: string | undefined;
	readonly cases: readonly SuiteCase[];
	readonly dataset: SuiteDataset | undefined;
	/** Variants to compare if they're asked for; otherwise the suite runs as if it had none. */
	readonly matrix?: SuiteMatrix | undefined;
	/** Judges that checks refer to, by name. */
	readonly judges?: Readonly<Record<string, SuiteJudge>>;
	/** Totals after which no further case starts. */
	readonly limits?: BatchLimits | undefined;
	/** Decides about the exit code of the command line instead of the failed cases. */
	readonly gate?: SuiteGate | undefined;
	/** True to use cached model replies of the gateway. */
	readonly cache: boolean;
	/** Recorded replies that replace calls; absent if the suite doesn't mention them. */
	readonly recordings?: RecordingSettings | undefined;
	/** Number of runs per case. */
	readonly repeat: number;
	/** Share of these runs that must pass, from 0 to 1. */
	readonly passRate: number;
	/** Maximum number of concurrent runs, across all suites of the connection. */
	readonly concurrency: number;
}

/** Result of reading a suite. With errors, there's no suite and nothing runs. */
export interface ReadSuite {
	readonly suite: Suite | undefined;
	readonly faults: readonly SuiteFault[];
}
