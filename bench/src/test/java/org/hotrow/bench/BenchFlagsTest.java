package org.hotrow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;

class BenchFlagsTest {
    @Test
    void ownFlagsAreTakenOut() {
        assertThat(BenchFlags.parse("Linear", "--quick", "-f", "1", "--json", "a.json"))
                .isEqualTo(new BenchFlags(Profile.QUICK, Path.of("a.json"), List.of("Linear", "-f", "1")));
        assertThat(BenchFlags.parse()).isEqualTo(new BenchFlags(Profile.FULL, Path.of("target/bench.json"), List.of()));
        assertThatThrownBy(() -> BenchFlags.parse("--json")).hasMessage("--json: a file is missing");
    }

    private static Options quick(String... args) throws CommandLineOptionException {
        CommandLineOptions flags = new CommandLineOptions(args);
        var options = new OptionsBuilder().parent(flags);
        Profile.QUICK.apply(options, flags);
        return options.build();
    }

    @Test
    void aQuickRunLeavesWhatTheUserSays() throws CommandLineOptionException {
        Options plain = quick();
        assertThat(plain.getMeasurementIterations().get()).isEqualTo(5);
        assertThat(plain.getParameter("prompt").get()).containsExactly("448");
        assertThat(plain.getExcludes()).contains(".*PairedDecode.*");
        Options said = quick("PairedDecode", "-i", "3", "-p", "prompt=64");
        assertThat(said.getMeasurementIterations().get()).isEqualTo(3);
        assertThat(said.getParameter("prompt").get()).containsExactly("64");
        assertThat(said.getExcludes()).isEmpty();
    }
}
