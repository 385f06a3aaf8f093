package org.hotrow.engine;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The arrows between modules: engine -> {allocator, model-loader, kernels}; those three know nothing of each other. */
@AnalyzeClasses(packages = "org.hotrow", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String ENGINE = "org.hotrow.engine..";
    private static final String CHAT = "org.hotrow.engine.chat..";
    private static final String BENCH = "org.hotrow.bench..";
    private static final String ALLOCATOR = "org.hotrow.allocator..";
    private static final String LOADER = "org.hotrow.modelloader..";
    private static final String KERNELS = "org.hotrow.kernels..";

    @ArchTest
    static final ArchRule ALLOCATOR_STANDS_ALONE = standsAlone(ALLOCATOR, LOADER, KERNELS);

    @ArchTest
    static final ArchRule LOADER_STANDS_ALONE = standsAlone(LOADER, ALLOCATOR, KERNELS);

    @ArchTest
    static final ArchRule KERNELS_STAND_ALONE = standsAlone(KERNELS, ALLOCATOR, LOADER);

    @ArchTest
    static final ArchRule ENGINE_KNOWS_NO_BENCH = noClasses()
            .that()
            .resideInAPackage(ENGINE)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(BENCH);

    @ArchTest
    static final ArchRule ONLY_THE_COMMAND_LINE_KNOWS_CHAT = noClasses()
            .that()
            .resideInAPackage(ENGINE)
            .and()
            .resideOutsideOfPackage(CHAT)
            .and()
            .doNotBelongToAnyOf(Hotrow.class)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(CHAT);

    @ArchTest
    static final ArchRule NO_UNSAFE =
            noClasses().should().dependOnClassesThat().haveFullyQualifiedName("sun.misc.Unsafe");

    @ArchTest
    static final ArchRule ONE_PACKAGE_USES_THE_VECTOR_API = noClasses()
            .that()
            .resideOutsideOfPackage("org.hotrow.engine.lanes")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("jdk.incubator.vector..");

    private static ArchRule standsAlone(String module, String sibling, String otherSibling) {
        return noClasses()
                .that()
                .resideInAPackage(module)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(sibling, otherSibling, ENGINE, BENCH);
    }
}
