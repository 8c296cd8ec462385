import type { CommandOutput, Progress } from '../contracts/command.js';
import { monotonicMs } from '../contracts/clock.js';

/** Milliseconds after which a wait shows what it is for. */
const QUIET_MS = 1_000;
const CLEARED = '\r\u001b[2K';

/** Where progress is shown. */
interface ProgressStreams {
  readonly out: Stream;
  readonly err: Stream & { readonly isTTY?: boolean; readonly columns?: number };
}

interface Stream {
  write(text: string): unknown;
}

interface Phase {
  doing: string;
  since: number;
  isTold: boolean;
}

/**
 * Where a command prints, with a line for each wait that takes longer than a second. On a terminal the line is rewritten in place and gone
 * when the wait is over; elsewhere each phase is a line once.
 *
 * @param quiet - whether progress is left out
 */
export function commandOutput({ out, err }: ProgressStreams, quiet: boolean): CommandOutput & { progress: Progress } {
  const phases: Phase[] = [];
  let isLineShown = false;
  const clear = () => {
    if (isLineShown) err.write(CLEARED);
    isLineShown = false;
  };
  const show = (phase: Phase, isLong = false) => {
    const waited = monotonicMs() - phase.since;
    // Timers may fire a little early, hence the 50 ms. Of nested waits only the innermost is shown.
    if (phase !== phases.at(-1) || (waited < QUIET_MS - 50 && !isLong)) return;
    if (err.isTTY) {
      err.write(CLEARED + `${phase.doing} (${Math.round(waited / 1000)} s)`.slice(0, (err.columns ?? 80) - 1));
      isLineShown = true;
    } else if (!phase.isTold) {
      err.write(`${phase.doing}\n`);
    }
    phase.isTold = true;
  };
  const printing = (stream: Stream) => (text: string) => {
    clear();
    stream.write(text);
  };
  return {
    out: printing(out),
    err: printing(err),
    async progress(doing, work) {
      if (quiet) return work(() => undefined);
      const phase: Phase = { doing, since: monotonicMs(), isTold: false };
      phases.push(phase);
      let timer = setInterval(show, QUIET_MS, phase).unref();
      const next = (then: string, isLong = false) => {
        // Work that keeps the event loop busy lets no timer come; it says so again and again that it goes on.
        if (then === phase.doing) return show(phase, isLong);
        Object.assign(phase, { doing: then, since: monotonicMs(), isTold: false });
        clear();
        clearInterval(timer);
        timer = setInterval(show, QUIET_MS, phase).unref();
        if (isLong) show(phase, isLong);
      };
      try {
        return await work(next);
      } finally {
        clearInterval(timer);
        phases.splice(phases.indexOf(phase), 1);
        clear();
      }
    },
  };
}
