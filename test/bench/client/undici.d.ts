// Types for importing undici's request without undici's index. The client imports the dispatcher that way too (src/network/undici.d.ts).
declare module 'undici/lib/api/api-request.js' {
	import type Dispatcher = require('undici/types/dispatcher');
	function request(
		this: Dispatcher.default,
		options: Dispatcher.default.RequestOptions & { origin: string },
	): Promise<Dispatcher.default.ResponseData>;
	// biome-ignore lint/style/noDefaultExport: undici's modules export like this
	export default request;
}
