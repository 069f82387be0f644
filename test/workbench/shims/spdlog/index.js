// Pure-JS stand-in for the native @vscode/spdlog, so that the VS Code server can be installed without a compiler. It implements only what
// VS Code calls. Output channels and log files are written synchronously, so that tests are deterministic.
const fs = require('node:fs');
const path = require('node:path');
const NAMES = ['trace', 'debug', 'info', 'warning', 'error', 'critical', 'off'];
const pad = (n, w = 2) => String(n).padStart(w, '0');
class Logger {
	constructor(_type, name, file, maxSize = 30e6, maxFiles = 1) {
		Object.assign(this, { name, file, maxSize, maxFiles, level: 2, raw: false });
		fs.mkdirSync(path.dirname(file), { recursive: true });
		this.size = fs.existsSync(file) ? fs.statSync(file).size : 0;
	}
	_write(level, message) {
		if (level < this.level || this.dropped) {
			return;
		}
		const d = new Date();
		const line = this.raw
			? message
			: `${d.getFullYear()}-${pad(d.getMonth() + 1)}-${pad(d.getDate())} ${pad(d.getHours())}:${pad(d.getMinutes())}:${pad(d.getSeconds())}.${pad(d.getMilliseconds(), 3)} [${NAMES[level]}] ${message}\n`;
		if (this.size + line.length > this.maxSize && this.size > 0) {
			try {
				fs.renameSync(this.file, this.file.replace(/(\.[^.]*)?$/, '.1$1'));
			} catch {
				/* keep writing to the old file */
			}
			this.size = 0;
		}
		try {
			fs.appendFileSync(this.file, line);
		} catch {
			return;
		}
		this.size += Buffer.byteLength(line);
	}
	getLevel() {
		return this.level;
	}
	setLevel(l) {
		this.level = l;
	}
	setPattern() {
		this.raw = false;
	}
	clearFormatters() {
		this.raw = true;
	}
	flush() {}
	drop() {
		this.dropped = true;
	}
}
['trace', 'debug', 'info', 'warn', 'error', 'critical'].forEach((m, i) => {
	Logger.prototype[m] = function (msg) {
		this._write(i, msg);
	};
});
// one assignment per export: the server imports this file as an ES module, which finds only exports of this form
exports.version = 11500;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = async (...a) => new Logger('rotating', ...a);
exports.createAsyncRotatingLogger = async (...a) => new Logger('rotating_async', ...a);
